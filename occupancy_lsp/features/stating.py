"""A directive above a kernel that states what nothing else says: the edit, and which inputs ask for one."""

from __future__ import annotations

from collections.abc import Iterable

from occupancy_lsp.analysis.inputs import GroupSize, Local
from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.features.answers import Edit
from occupancy_lsp.features.missing import Missing, missing
from occupancy_lsp.features.prose import Run
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.rules.occupancy_directive import impossible
from occupancy_lsp.rules.too_many_threads import too_many
from occupancy_lsp.session.view import View
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.annotation_comments import DirectiveFault, StatedFact, read_directives
from occupancy_lsp.source.lower.item_facts import DirectiveComment
from occupancy_lsp.source.syntax.known_value import Value


def unstated(
    view: View, report: KernelReport, size: GroupSize, memory: Local, figure: Figure | None
) -> dict[str, Missing]:
    """By the key of the directive; none for which one stands there already, without a value that can be read."""
    spans = [view.span(said.place) for said in report.directives if isinstance(said.directive, DirectiveFault)]
    there = {view.text.content[start:end].split(b"=")[0].decode("utf-8", "replace") for start, end in spans}
    found: dict[str, Missing] = {}
    for it in missing(view, report, size, memory, figure):
        if it.key not in there:
            found.setdefault(it.key, it)
    return found


def directive(view: View, report: KernelReport, said: str) -> Edit:
    """A line above the kernel."""
    head = report.kernel.head
    at = view.source.start_of(head.item) + view.source.code_start(head)
    line = view.text.line_start(view.text.line_of(at))
    indent = view.text.content[line:at] if not view.text.content[line:at].strip() else b""
    return Edit(at, at, f"{LANGUAGES[report.language].comment} occupancy: {said}\n{indent.decode()}")


def stated(view: View, kernel: str, key: str, value: str) -> Edit | str:
    """What a person typed, above the kernel of this qualified name; or why it cannot stand there."""
    report = next((it for it in view.reports if it.kernel.qualified == kernel and it.defect is None), None)
    if report is None or not view.source.holds(report.kernel.head):
        return "The kernel is no longer in this file."
    if len(value.split()) != 1:
        return "One value is expected, without spaces."
    said = read_directives(DirectiveComment(Span(0, 0), f"{key}={value.strip()}"))
    fault = next((it.message for it in said if isinstance(it, DirectiveFault)), "")
    if fault or [type(it) for it in said] != [StatedFact]:
        return f"{fault or 'One value is expected'}."
    why = next((why for it in said if isinstance(it, StatedFact) and (why := _cannot_be(report, it))), "")
    if why:
        return f"{why[0].upper()}{why[1:]}."
    edit = directive(view, report, f"{key}={value.strip()}")
    if not view.takes(edit.start, edit.end, edit.new):
        return "The string literal that the kernel stands in has no line for it."
    return edit


def _cannot_be(report: KernelReport, said: StatedFact) -> str:
    too_large = too_many(report, Value(said.value)) if said.key == "block" else None
    return too_large or impossible(report, said)


def setting(report: KernelReport, keys: Iterable[str]) -> tuple[Run, ...]:
    """A link for each, which asks for the value and has it stated."""
    words, kernel = report.device.nouns, report.kernel.qualified
    named = {
        "block": (f"{words.group} size", f"Threads per {words.group}"),
        "regs": (words.registers, f"{words.registers[0].upper()}{words.registers[1:]} per thread"),
        "shared": (f"static {words.local_memory}", f"Static {words.local_memory} per {words.group}, in bytes"),
        "dynamic_shared": (
            f"dynamic {words.local_memory}",
            f"Dynamic {words.local_memory} per {words.group}, in bytes",
        ),
        "barriers": ("barriers", f"Barriers per {words.group}"),
        "subgroup": (words.width, f"{words.width[0].upper()}{words.width[1:]}"),
    }
    return tuple(Run(f"Set {named[it][0]}…", "occupancy.state", (kernel, it, named[it][1])) for it in keys)
