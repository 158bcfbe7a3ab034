"""OCC006: sizes that no launch can have, or that no compiler takes."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.refused import invalid_numbers
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.regex import regex
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import counts_waves
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import refused
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings

_ZERO = regex(rb"\s*0[uU]?\s*")


def _check(report: KernelReport) -> Iterator[Finding]:
    for place, says in invalid_numbers(report.arch, report.kernel, report.language):
        yield Finding(place, says)
    yield from refused(report, "OCC006")


def _concerns(settings: Settings, report: KernelReport) -> bool:
    bounds = report.kernel.attributes.bounds
    return bounds is not None and bounds.max_threads.value.number == 0 and counts_waves(report)


def _check_bounds(view: View, report: KernelReport) -> Iterator[Finding]:
    """HIP's header makes of bounds an attribute of AMD's, for groups of 1 to that many threads.

    Only where a 0 is written: negative bounds, which are read as none, are large unsigned numbers to the attribute.
    """
    bounds = report.kernel.attributes.bounds
    place = bounds.max_threads.place if bounds is not None else None
    if place is None or not view.source.holds(place):
        return
    if _ZERO.fullmatch(view.source.item_text(place.item)[place.start : place.end]):
        yield Finding(place, "bounds of 0 threads: the compiler rejects them")


RULE = Rule(
    "OCC006",
    "error",
    "a size that no launch can have or no compiler accepts",
    check=_check,
    check_view=_check_bounds,
    concerns=_concerns,
)
