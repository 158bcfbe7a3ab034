"""A larger share of a unit's memory as local memory, where the one that host code prefers keeps work-groups out."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.analysis.report import Figure, KernelReport, figure
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.kernels.carveout_preference import CarveoutPreference
from occupancy_lsp.source.syntax.known_value import Place, Value

_OF_ONE_KERNEL = "FuncSetAttribute"  # takes a percentage; the other calls take the name of one of three shares


@dataclass(frozen=True, slots=True)
class Share:
    """`percent` in place of `now`, which is written at `place`."""

    percent: int
    now: int
    place: Place
    before: Figure
    after: Figure


def larger_share(report: KernelReport) -> Share | None:
    """The smallest with which as many work-groups reside as with the largest: the rest is cache.

    None: there is none, or the share is not written as a number in one call that names the kernel.
    """
    memory, before = report.local, report.figure
    telling = [it for it in memory.preferred if it.least is not None and it.least == memory.carveout]
    if before is None or len(telling) != 1:
        return None
    given = telling[0]
    now, place, call = given.percent.number, given.percent.literal, given.place
    if place is None or call is None or place.item != call.item or not call.start <= place.start < call.end:
        return None
    if now is None or not given.kernel or not given.call.endswith(_OF_ONE_KERNEL):
        return None
    full = _with(report, given, 100)
    if full is None or full.lowest.groups <= before.lowest.groups:
        return None
    for percent in range(now + 1, 101):
        after = _with(report, given, percent)
        if after is not None and after.lowest.groups == full.lowest.groups:
            return Share(percent, now, place, before, after)
    return None


def _with(report: KernelReport, given: CarveoutPreference, percent: int) -> Figure | None:
    preferred = tuple(replace(it, percent=Value(percent)) if it is given else it for it in report.local.preferred)
    memory = replace(report.local, preferred=preferred)
    return figure(report.arch, report.size, report.registers, memory, report.built)
