"""The charts of a kernel: over the sizes that it can be launched with, its registers and its local memory."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.any_size import most_threads
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.calculator.chart import Chart, charts
from occupancy_lsp.model.occupancy import Need


def charts_of(report: KernelReport, least: Need, most: Need) -> Iterator[Chart]:
    """None over the size where the kernel's annotation fixes it. Each is computed when it is asked for."""
    found = charts(report.arch, least, most, most_threads(report))
    return (it for it in found if it.over != "group_size" or report.kernel.attributes.block is None)
