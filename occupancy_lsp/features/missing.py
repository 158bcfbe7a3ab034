"""What is not known of a kernel's inputs: by name and place, with the directive that supplies it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from occupancy_lsp.analysis.inputs import MOVED, NO_LAUNCH, UNREAD, GroupSize, Local
from occupancy_lsp.analysis.report import Figure, KernelReport, barriers_decide
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.wording import bytes_text, or_text
from occupancy_lsp.features.prose import Code, Line, between
from occupancy_lsp.features.surprises import Topic, why
from occupancy_lsp.languages.language import Language
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.session.view import View
from occupancy_lsp.source.incremental.address_taken import first_other_mention
from occupancy_lsp.source.lower.item_facts import MAY_SPILL
from occupancy_lsp.source.syntax.known_value import Place

_MOST_NAMED = 4
_COMPILED = ("regs", "shared", "barriers", "subgroup")  # what a compiler's log tells
_UNITS = {"regs": "N", "block": "N", "shared": "BYTES", "dynamic_shared": "BYTES", "barriers": "N", "subgroup": "N"}


@dataclass(frozen=True, slots=True)
class Missing:
    """`key`: the directive's that supplies it. `least`: what is proved of it, "" if nothing is.

    `topic`: of the page that tells what compilers do about it.
    """

    key: str
    text: str | Line
    least: str = ""
    topic: Topic | None = None

    def line(self, language: Language, compiles: bool) -> Line:
        """With the directive to give. `compiles`: the text is a file's, which a compiler can be given."""
        text = (self.text,) if isinstance(self.text, str) else self.text
        lead = "Compile, or state" if self.key in _COMPILED and compiles and language.compiles else "State"
        directive = Code(f"{language.comment} occupancy: {self.key}={_UNITS[self.key]}")
        return *text, f" {lead} ", directive, ".", *(why(self.topic) if self.topic is not None else ())


def missing(
    view: View, report: KernelReport, size: GroupSize, memory: Local, figure: Figure | None
) -> Iterator[Missing]:
    """`size`, `memory`, `figure`: the kernel's, or those of one of its launches."""
    count, words = report.registers, report.device.nouns
    if not size.sizes:
        yield Missing(
            "block",
            f"Threads per {words.group}: {_unlaunched(view, size, report.kernel.name)}{_of_launch(view, report)}.",
        )
    elif size.assumed:
        yield Missing("block", f"Threads per {words.group}: {size.reason}; {_sizes(size)} {size.origin}.")
    elif not size.chosen:
        yield Missing("block", f"Threads per {words.group}: {or_text(size.sizes)}, decided at run time: {size.reason}.")
    elif size.bounded:
        yield Missing("block", f"Threads per {words.group}: {size.sizes[0]} is {size.origin}.")
    if not count.known and count.lowest is None:
        bound = f"at most {count.highest} per thread by {count.origin}" if count.capped else "no count found"
        yield Missing("regs", f"{words.registers[0].upper()}{words.registers[1:]}: {bound}.{_uncounted(view, report)}")
    if memory.reason:
        least = f"at least {bytes_text(memory.static[0])}" if memory.static[0] else ""
        known = f": {least}. Not known" if least else " is not known"
        topic: Topic | None = "local-memory" if memory.reason in (MOVED, UNREAD, MAY_SPILL) else None
        text = f"Static {words.local_memory}{known}: {_unsized(view, report, memory)}."
        yield Missing("shared", text, least, topic)
    if memory.unseen:
        shown = between(", ", map(Code, memory.unseen[:_MOST_NAMED]))
        more = f" and {len(memory.unseen) - _MOST_NAMED} more" if len(memory.unseen) > _MOST_NAMED else ""
        why = "not read yet" if view.unread() else f"unavailable: {words.local_memory} used there is not counted"
        yield Missing("shared", ("Calls ", *shown, f"{more}, whose source is {why}."))
    if memory.dynamic[0] != memory.dynamic[1] and not report.in_variants:
        reason = memory.dynamic_reason
        yield Missing("dynamic_shared", f"{reason[:1].upper()}{reason[1:]}.")
    if report.built.open_width and (figure is None or not figure.exact):
        *others, last = (str(it.sub_group) for it in report.built.variants)
        widths = f"{', '.join(others)} or {last}"
        how = "the compiler chooses by how many registers the kernel needs"
        language = LANGUAGES[report.language]
        by_driver = report.built.by_driver or language.by_driver
        fixed = (".",) if by_driver else ("; ", Code(language.width_attribute), " fixes it.")
        yield Missing("subgroup", (f"Sub-group size: {widths} work-items: {how}", *fixed), "", "sub-groups")
    barriers = report.built.barriers
    if figure is not None and barriers_decide(report.arch, report.built, figure):
        text = f"Barriers: {barriers.lowest} to {barriers.highest}; {barriers.reason}."
        yield Missing("barriers", text, "", "barriers")


def _uncounted(view: View, report: KernelReport) -> str:
    """Why there is no count, with the remedy, where something was compiled or tried: the first reason alone."""
    for problem in view.why_uncounted():
        named = "" if problem.path == str(view.path) and not problem.line else f"{Path(problem.path).name}"
        place = f"{named}{f':{problem.line}' if problem.line else ''}: " if named else ""
        remedy = f"; {problem.remedy}" if problem.remedy else ""
        text = f"{place}{problem.message}{remedy}"
        return f" {text if place else text[:1].upper() + text[1:]}."
    others = (it for it in report.unused if it.usage not in report.elsewhere)
    return next((f" {Path(it.usage.path).name} is not used: {it.why}." for it in others), "")


def _unsized(view: View, report: KernelReport, memory: Local) -> str:
    """The variables whose size is not known, each with its line; else what the compiler's choice turns on."""
    variables = [it for it in report.kernel.summary.local.variables if it.bytes.number is None]
    named = list(dict.fromkeys(f"{it.bytes.reason}{line_of(view, it.place)}" for it in variables))
    if not any(it.bytes.reason == memory.reason for it in variables):
        named.insert(0, memory.reason)
    more = f"; and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    return "; ".join(named[:_MOST_NAMED]) + more


def _sizes(size: GroupSize) -> str:
    return f"{', '.join(map(str, size.sizes))} {'is' if len(size.sizes) == 1 else 'are'}"


def _unlaunched(view: View, size: GroupSize, kernel: str) -> str:
    """Why no size is known. That no launch is in sight is not said before all files have been looked at."""
    if not size.reason.removesuffix(")").endswith(NO_LAUNCH):
        return size.reason
    named = ("named otherwise", kernel)  # of which there may be many
    at = view.beside.ask(named, lambda: first_other_mention(view.source, view.facts, kernel))
    if at is not None:
        return size.reason.replace(NO_LAUNCH, f"no launch that is understood; it is also named{line_of(view, at)}")
    if not view.unread():
        return size.reason
    return size.reason.replace(NO_LAUNCH, "no launch in this file, and the other files have not been read yet")


def _of_launch(view: View, report: KernelReport) -> str:
    """Where the first launch stands whose size is not known."""
    for launch in (it.launch for it in report.launches):
        if not launch.size.number:
            return line_of(view, launch.configuration.block[0])
    return next(
        (f" ({Path(it.path).name}:{it.line})" for it in report.far if not (it.unread or it.launch.size.number)), ""
    )


def line_of(view: View, place: Place) -> str:
    """Empty for what stands in a header."""
    return f" (line {view.text.line_of(view.span(place)[0]) + 1})" if view.source.holds(place) else ""
