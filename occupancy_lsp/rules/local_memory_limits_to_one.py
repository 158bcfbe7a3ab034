"""OCC201: local memory alone limits to one work-group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.core.wording import bytes_text, percent_text, span_text
from occupancy_lsp.model.cliffs import cliffs
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import launch_notes, static_bytes, variable_notes


def _check(report: KernelReport) -> Iterator[Finding]:
    figure = report.figure
    if figure is None:
        return
    least = replace(figure.least, static_local=static_bytes(report))
    best = report.arch.occupancy(least)
    if best.groups != 1 or best.limiters != ("local_memory",):
        return
    words = report.device.nouns
    percent = "" if report.size.exact is None else f", {_percent(report, least)}"
    message = f"{words.local_memory} limits residency to 1 {words.group}{percent}{_way_out(report, figure)}"
    yield Finding(report.kernel.name_place, message, (*variable_notes(report), *launch_notes(report)))


def _percent(report: KernelReport, need: Need) -> str:
    """Over the sub-group sizes that the compiler may choose."""
    widths = {it.sub_group for it in report.built.variants} if report.built.open_width else {need.sub_group}
    each = [report.arch.occupancy(replace(need, sub_group=it)).percent for it in widths]
    return span_text(min(each), max(each))


def _way_out(report: KernelReport, figure: Figure) -> str:
    """With how much more would fit; sure of it only where nothing else is open."""
    gain = cliffs(report.arch, figure.least).local_gain
    if gain is None:
        return ""
    amount = bytes_text(gain.at)
    if figure.exact and report.registers.exact is not None and report.size.exact is not None:
        return f"; ≤ {amount} would allow {gain.groups} ({percent_text(gain.percent)})"
    return f"; ≤ {amount} has room for {gain.groups}"


RULE = Rule(
    "OCC201",
    "information",
    "local memory limits residency to one work-group",
    check=_check,
    advice=True,
    hides_in_kernel=("OCC203", "OCC301"),
)
