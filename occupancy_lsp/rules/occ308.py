"""OCC308: the grid is too small for the device."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis import KernelReport
from occupancy_lsp.calculate_fill import grid_fill
from occupancy_lsp.inputs import stated
from occupancy_lsp.model.mobile_arch import AdrenoArch, MaliArch
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import launched, proved_figure
from occupancy_lsp.syntax.values import Place
from occupancy_lsp.wording import percent_text


def _check(report: KernelReport) -> Iterator[Finding]:
    """One work-group, or as many for each compute unit, is meant so."""
    figure, grid, place = proved_figure(report), report.grid, _place(report)
    if figure is None or not figure.exact or report.size.exact is None or report.clustered:
        return
    if grid is None or grid < 2 or place is None or isinstance(report.arch, MaliArch | AdrenoArch):
        return  # these may start work-groups in parts: more than the figure's whole ones
    fill = grid_fill(report.device, figure.highest, grid)
    if fill is None or grid >= fill.per_round or grid % fill.units == 0:
        return
    words, share = report.device.nouns, percent_text(100 * fill.average_fraction)
    holds = f"{report.device.name[:24]} holds {fill.units} × {fill.per_unit} at once"
    yield Finding(place, f"{grid} {words.groups} fill {share} of the device: {holds}")


def _place(report: KernelReport) -> Place | None:
    """Where the grid stands; None: nowhere in sight, or it may be that of a namesake."""
    said = stated(report.said, "grid")
    if said is not None:
        return said.place
    launches = launched(report)
    if len(launches) < len(report.launches):
        return None
    if launches:
        return launches[0].grid[0]
    return report.kernel.name_place if report.far else None


RULE = Rule("OCC308", "hint", "the grid is smaller than what the device holds at once", True, _check)
