"""What a rule may take as proved, where a report also says what is only likely."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from occupancy_lsp.analysis.exceeding import instance_of, means
from occupancy_lsp.analysis.failing import Refusal, beyond_opted, refusals
from occupancy_lsp.analysis.inputs import STATED, stated
from occupancy_lsp.analysis.report import Figure, KernelReport, bytes_opted_in
from occupancy_lsp.counts.usage import COUNTED
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.rules.finding import LONGEST, Finding, Fix, Note, Severity, short
from occupancy_lsp.session.view import View
from occupancy_lsp.source.kernels.grid_barriers import waits_for_grid
from occupancy_lsp.source.kernels.intent_keywords import has_low_occupancy_keywords, may_grid_stride
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.kernels.local_memory import LocalMemoryVariable
from occupancy_lsp.source.lower.annotation_comments import StatedFact
from occupancy_lsp.source.syntax.known_value import Place, Value, product_of_dimensions
from occupancy_lsp.workspace.callers import FarLaunch

UNIT = 8  # registers of a thread, in which NVIDIA's devices allocate them


def own_variables(report: KernelReport) -> list[LocalMemoryVariable]:
    """The kernel's own local-memory variables that it reads, of known size; the compiler drops what is never read."""
    return [it for it in report.kernel.summary.local.variables if it.own and it.read and it.bytes.number]


def static_bytes(report: KernelReport) -> int:
    """Static bytes that the kernel surely needs: the compiler's or a person's word, else what the text proves."""
    if report.local.origin in ("compiled", STATED):
        return report.local.static[0]
    kernel = report.kernel
    if not LANGUAGES[report.language].preprocessed or LANGUAGES[report.language].by_driver:
        return (
            kernel.summary.local.lowest
        )  # no preprocessor or template leaves anything open, or it is what every driver keeps
    if kernel.template is not None:
        return 0  # which of its branches an instance has is not known
    own = own_variables(report)
    if kernel.summary.local.exact is not None:
        own = [variable for variable in kernel.summary.local.variables if variable.read]
    return sum(variable.bytes.number or 0 for variable in own)


def local_bytes(report: KernelReport) -> int:
    """Static and dynamic bytes that a group surely needs."""
    return static_bytes(report) + report.local.dynamic[0]


def variable_notes(report: KernelReport) -> tuple[Note, ...]:
    variables = [variable for variable in report.kernel.summary.local.variables if variable.bytes.number]
    return tuple(Note(variable.place, f"{variable.name}: {variable.bytes.number} bytes") for variable in variables)


def launch_notes(report: KernelReport) -> tuple[Note, ...]:
    """What launches add to local memory."""
    given = [
        (it.configuration.dynamic.place, it.configuration.dynamic.value.number)
        for it in launched(report)
        if it.configuration.dynamic is not None
    ]
    return tuple(dict.fromkeys(Note(place, f"{amount} bytes at launch") for place, amount in given if amount))


def register_count(report: KernelReport) -> int | None:
    """Registers per thread, where a count for this very architecture is fresh."""
    count = report.registers
    if count.exact is None or count.freshness != "fresh":
        return None
    if count.source == "declared":
        return count.exact
    compiled = count.source in COUNTED
    return count.exact if compiled and all(it.usage.arch for it in report.counted) else None


def has_registers_to_spare(report: KernelReport, cap: int) -> bool:
    """Whether the compiler, as it counted this very text, stays below that cap of NVIDIA's bounds and spills nothing:
    then the cap holds nothing back (docs/bounds.md)."""
    count = report.registers
    surely = count.source in COUNTED and count.freshness == "fresh"
    spills_nothing = count.spills is not None and count.spills.highest == 0
    return surely and spills_nothing and count.highest <= cap - UNIT and all(it.usage.arch for it in report.counted)


def without_entry(report: KernelReport, place: Place) -> tuple[Fix, ...]:
    """Takes a launch that stands there, and cannot run, out of the list that the program chooses from."""
    entry = next((it.launch.entry for it in report.launches if it.launch.configuration.block[0] == place), None)
    if entry is None:
        return ()
    return (Fix(f"Remove this configuration, which cannot run on {report.device.name}", ((entry, ""),)),)


def launched(report: KernelReport) -> list[KernelLaunch]:
    """The launches in its file that mean no other kernel of its name, here or elsewhere."""
    return [it.launch for it in report.launches if means(report.kernel, it.launch)]


def spared(report: KernelReport) -> set[Place]:
    """The sizes of launches that may run on the host's processor, where nothing limits them."""
    return {it.configuration.block[0] for it in launched(report) if not it.on_device}


def severity_of(report: KernelReport, launch: KernelLaunch) -> Severity:
    """Of what makes a launch fail: an error, but for what a tuner leaves out."""
    return "warning" if report.leaves_out(launch) else "error"


def refused(report: KernelReport, code: str) -> Iterator[Finding]:
    """The launches that fail for what the rule of that code speaks of, those in other files as one."""
    here, far = report.beside.ask("refusals", lambda: _refusals(report))
    for launch, it in here:
        if it.code == code:
            notes = (Note(*it.other),) if it.other is not None else ()
            fixes = without_entry(report, it.place) if it.place == launch.configuration.block[0] else ()
            yield Finding(it.place, it.text, notes, fixes, severity=severity_of(report, launch))
    found = [(launch, it.text) for launch, it in far if it.code == code]
    if found:
        yield Finding(report.kernel.name_place, said_of_far(*found[0], len(found) - 1), severity="error")


_Refusals = tuple[list[tuple[KernelLaunch, Refusal]], list[tuple[FarLaunch, Refusal]]]


def _refusals(report: KernelReport) -> _Refusals:
    """Of the launches in its file, and of those in others: all rules ask for them."""

    def of(launch: KernelLaunch) -> Iterator[Refusal]:
        kernel = instance_of(report.kernel, launch) or report.kernel
        yield from refusals(report.arch, report.language, kernel, launch)
        yield from beyond_opted(report.arch, launch, bytes_opted_in(report.may_opt_in, launch))

    here = [(launch, it) for launch in launched(report) for it in of(launch)]
    return here, [(far, it) for far in launched_elsewhere(report) for it in of(far.launch)]


def threads_in(size: Value) -> str:
    """Of a work-group whose least size is known."""
    return f"{size.number} threads" if size.number is not None else f"{size.least} or more threads"


def launched_elsewhere(report: KernelReport) -> list[FarLaunch]:
    """Those in other files, if they see this kernel and no namesake."""
    return [it for it in report.far if it.proved and means(report.kernel, it.launch)]


def said_of_far(launch: FarLaunch, fault: str, more: int) -> str:
    """At the kernel's name, one message for all launches of other files; a long file name is cut, not the fault."""
    others = f" (and {more} more)" if more else ""
    rest, name = f":{launch.line}{others} with {fault}", Path(launch.path).name
    room = LONGEST - len(f"launched at {rest}")
    shown = name if len(name) <= room else f"{name[: max(room - 1, 0)]}…"
    return short(f"launched at {shown}{rest}")


def most_launched(report: KernelReport) -> int | None:
    """Threads of the largest launch, where all launches in sight are surely of this kernel, and their sizes known."""
    sizes = report.size.sizes
    surely = sizes and report.size.sure and report.size.chosen and len(launched(report)) == len(report.launches)
    return sizes[-1] if surely else None


def proved_figure(report: KernelReport) -> Figure | None:
    """The figure, where occupancy surely lies between its ends: nothing in it is stale, guessed or a mere bound."""
    figure = report.figure
    if figure is None or any(it.perhaps for it in _every_launch(report)):
        return None
    if not report.size.sure or report.registers.freshness != "fresh" or figure.source == "estimated":
        return None
    doubtful = static_bytes(report) < report.local.static[0] and "local_memory" in figure.highest.limiters
    return None if doubtful else figure


def sizes(report: KernelReport) -> list[tuple[int, Place]]:
    """The threads per group that the kernel is surely launched with, each with where that stands."""
    kernel = report.kernel
    block = stated(report.directives, "block")
    if block is not None and isinstance(block.directive, StatedFact):
        return [(block.directive.value, block.place)]
    if report.size.origin.startswith("stated in "):
        return [(size, kernel.name_place) for size in report.size.sizes]
    if kernel.attributes.block is not None:
        fixed = product_of_dimensions(kernel.attributes.block[1]).number
        return [(fixed, kernel.attributes.block[0])] if fixed else []
    known = [(launch.size.number, launch.configuration.block[0]) for launch in launched(report)]
    return [(size, place) for size, place in known if size]


def deliberate(view: View, report: KernelReport) -> bool:
    """Whether the kernel's text or its launches have marks of a design for which advice on occupancy is noise."""
    text, body = view.source.item_text(report.kernel.item), view.source.body_of(report.kernel)
    if has_low_occupancy_keywords(text, report.kernel.head.start, body.end):
        return True
    launches = _every_launch(report)
    counted = any(it.configuration.by_units for it in launches) and may_grid_stride(text, body.start, body.end)
    return counted or any(it.cooperative for it in launches)


def waits_at_grid_barrier(view: View, report: KernelReport) -> bool:
    """Whether the kernel, or a function that it calls, has a barrier at which all work-groups of its grid wait."""
    text, body = view.source.item_text(report.kernel.item), view.source.body_of(report.kernel)
    return report.kernel.summary.calls_grid_barrier or waits_for_grid(text, report.kernel.head.start, body.end)


def _every_launch(report: KernelReport) -> list[KernelLaunch]:
    return [*(it.launch for it in report.launches), *(it.launch for it in report.far)]
