"""OCC005: a launch with more threads than the kernel's launch bounds allow."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.inputs import stated
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import raise_threads
from occupancy_lsp.rules.finding import Finding, Fix, Note
from occupancy_lsp.rules.proof import launched
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.facts.directives import Stated
from occupancy_lsp.source.kernels.kernels import Bounds
from occupancy_lsp.source.text.values import Place


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return any(larger(report))


def larger(report: KernelReport) -> Iterator[tuple[int, Place]]:
    """The sizes that the kernel's bounds forbid, each with where it stands."""
    most = _most(report)
    if report.kernel.block is None and most is not None and 0 < most <= report.arch.max_group_size:
        yield from ((size, place) for size, place in _sizes(report) if size > most)


def _most(report: KernelReport) -> int | None:
    return report.kernel.bounds.max_threads.value.number if report.kernel.bounds else None


def _check(report: KernelReport) -> Iterator[Finding]:
    bounds, most, found = report.kernel.bounds, _most(report), [*larger(report)]
    if bounds is None or most is None or not found:
        return
    note = Note(bounds.place, f"{LANGUAGES[report.language].bounds} allows {most} threads")
    fixes = _fixes(report, bounds, most, max(size for size, _ in found))
    for size, place in found:
        text = f"{size} threads; the kernel's launch bounds allow {most}: the launch fails"
        yield Finding(place, text, (note,), fixes)


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
