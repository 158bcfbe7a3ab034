"""OCC005: a launch with more threads than the kernel's launch bounds allow."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.exceeding import most_by_bounds
from occupancy_lsp.analysis.inputs import stated
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import raise_threads
from occupancy_lsp.rules.finding import Finding, Fix, Note
from occupancy_lsp.rules.proof import launched, launched_elsewhere, said_of_far
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.facts.directives import Stated
from occupancy_lsp.source.kernels.attributes import Bounds
from occupancy_lsp.source.text.values import Place
from occupancy_lsp.workspace.callers import FarLaunch


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return any(larger(report)) or bool(_larger_elsewhere(report))


def larger(report: KernelReport) -> Iterator[tuple[int, Place]]:
    """The sizes that the kernel's bounds forbid, each with where it stands."""
    most = most_by_bounds(report.arch, report.kernel)
    yield from ((size, place) for size, place in _sizes(report) if most is not None and size > most)


def _larger_elsewhere(report: KernelReport) -> list[FarLaunch]:
    """The launches in other files that the kernel's bounds forbid."""
    most = most_by_bounds(report.arch, report.kernel)
    return [it for it in launched_elsewhere(report) if most is not None and (it.launch.size.number or 0) > most]


def _check(report: KernelReport) -> Iterator[Finding]:
    bounds, most = report.kernel.bounds, most_by_bounds(report.arch, report.kernel)
    found, far = [*larger(report)], _larger_elsewhere(report)
    if bounds is None or most is None or not (found or far):
        return
    note = Note(bounds.place, f"{LANGUAGES[report.language].bounds} allows {most} threads")
    sizes = [*(size for size, _ in found), *(it.launch.size.number or 0 for it in far)]
    fixes = _fixes(report, bounds, most, max(sizes))
    fault = f"threads; the kernel's launch bounds allow {most}: the launch fails"
    for size, place in found:
        yield Finding(place, f"{size} {fault}", (note,), fixes)
    if far:
        text = said_of_far(far[0], f"{far[0].launch.size.number} {fault}", len(far) - 1)
        yield Finding(report.kernel.name_place, text, (note,), fixes)


def _fixes(report: KernelReport, bounds: Bounds, now: int, threads: int) -> tuple[Fix, ...]:
    """For all its launches; that fewer threads are launched is an edit of the size."""
    groups = bounds.min_groups
    if threads > report.arch.max_group_size or (groups is not None and groups.value.number is None):
        return ()
    return (raise_threads(report, bounds, now, threads),)


def _sizes(report: KernelReport) -> Iterator[tuple[int, Place]]:
    block = stated(report.directives, "block")
    if block is not None and isinstance(block.directive, Stated):
        yield block.directive.value, block.place
    for launch in launched(report):
        if launch.size.number is not None:
            yield launch.size.number, launch.block[0]


RULE = Rule(
    "OCC005",
    "error",
    "a launch larger than the kernel's launch bounds",
    check=_check,
    concerns=_concerns,
    hides_at_place=("OCC001", "OCC003", "OCC303"),
    hides_in_kernel=("OCC308",),
)
