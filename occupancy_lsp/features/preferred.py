"""What a hover says of the share of a unit's memory that host code prefers as local memory."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.analysis.inputs import Local
from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.features.missing import line_of
from occupancy_lsp.features.prose import Code, Line
from occupancy_lsp.session.view import View
from occupancy_lsp.source.kernels.carveout_preference import CarveoutPreference


def preferred(view: View, report: KernelReport, memory: Local, figure: Figure | None) -> Line:
    """Nothing where the share changes no figure."""
    telling = [it for it in memory.preferred if it.least is not None and it.least == memory.carveout]
    if not telling or figure is None or not _decides(report, figure):
        return ()
    first, words = telling[0], report.device.nouns
    said = f"prefers {first.least}%" if first.percent.number is not None else _UNKNOWN.format(first.percent.reason)
    what = f"{_where(view, first)} {said} of the {words.unit}'s memory as {words.local_memory}"
    if first.handed:
        what += ", for whichever kernels it is given: this may be one of them"
    hint = "This is a hint to the driver, so the figure spans from that share to the largest."
    return (*((Code(first.call),) if first.call else ("Code",)), f"{what}. {hint}")


_UNKNOWN = "prefers a share that is not known ({})"


def _where(view: View, given: CarveoutPreference) -> str:
    """Empty for what stands in a header."""
    return line_of(view, given.place) if given.place is not None else f" at {given.where}"


def _decides(report: KernelReport, figure: Figure) -> bool:
    """Whether it does at one end or the other of what else is open."""
    needs = (need for it in figure.each for need in (replace(it.least, carveout=it.most.carveout), it.most))
    at = report.arch.occupancy
    return any(at(it).groups != at(replace(it, carveout=None)).groups for it in needs)
