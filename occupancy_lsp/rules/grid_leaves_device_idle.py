"""OCC308: the grid leaves much of the device idle, at once or in its last round."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.inputs import stated
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.calculator.fill import grid_fill
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.fill import Fill
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import launched, proved_figure
from occupancy_lsp.source.syntax.known_value import Place

# Nsight Compute's rule on a launch's last wave speaks up from the same fifth on. After four full rounds no last one can
# cost so much.
_BUSY = 0.8


def _check(report: KernelReport) -> Iterator[Finding]:
    """One work-group, or as many for each compute unit and all at once, is meant so."""
    figure, grid, place = proved_figure(report), report.grid, _place(report)
    if figure is None or not figure.exact or report.size.exact is None or report.clustered:
        return
    if grid is None or grid < 2 or place is None or report.arch.traits.starts_in_parts:
        return
    fill = grid_fill(report.device, figure.highest, grid)
    if fill is None or fill.average_fraction > _BUSY or (fill.rounds == 1 and grid % fill.units == 0):
        return
    yield Finding(place, _message(report.device, fill))


def _message(device: Device, fill: Fill) -> str:
    groups, name, share = device.nouns.groups, device.name[:24], percent_text(100 * fill.average_fraction)
    if fill.rounds == 1:
        return f"{fill.grid} {groups} fill {share} of the device: {name} holds {fill.units} × {fill.per_unit} at once"
    rounds = f"{fill.rounds} rounds of {fill.per_round}, the last with {fill.tail}"
    return f"{fill.grid} {groups} take {rounds}: {share} of {name} is busy on average"


def _place(report: KernelReport) -> Place | None:
    """Where the grid stands; None: nowhere in sight, or it may be that of a namesake."""
    said = stated(report.directives, "grid")
    if said is not None:
        return said.place
    launches = launched(report)
    if len(launches) < len(report.launches):
        return None
    if launches:
        return launches[0].configuration.grid[0]
    return report.kernel.name_place if report.far else None


RULE = Rule("OCC308", "hint", "the grid leaves much of the device idle", check=_check, advice=True, needs_counts=True)
