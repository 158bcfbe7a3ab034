"""OCC010: a launch whose work-groups wait for all others, of which the device does not hold as many at once."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.exceeding import means
from occupancy_lsp.analysis.report import KernelReport, LaunchReport, report_of_far, resident_at_once
from occupancy_lsp.analysis.residency import Resident, asked_at_once
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, Fix, short
from occupancy_lsp.rules.proof import launched_elsewhere, said_of_far, waits_at_grid_barrier
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.syntax.known_value import Place, product_of_dimensions

_NAME = 24  # letters of a device


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return any(product_of_dimensions(it.configuration.grid[1]).least for it in report.every_launch())


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    """An error where the runtime refuses the launch. A barrier of the kernel's own may stand where it never runs, and
    does in other launches of a kernel that is launched cooperatively, too."""
    groups, both = report.device.nouns.groups, any(it.cooperative for it in report.every_launch())
    waits = not both and waits_at_grid_barrier(view, report)
    for it in report.launches:
        found = _too_large(report, it, waits) if means(report.kernel, it.launch) else None
        if found is None:
            continue
        (asked, held), place = found, it.launch.configuration.grid[0]
        fixes = tuple(_fixes(report, it.launch, asked, held))
        if it.launch.cooperative:
            text = f"a cooperative launch of {asked} {groups}; {_holds(report, held)}: it fails"
            yield Finding(place, short(text), fixes=fixes)
        else:
            text = f"{asked} {groups} wait for each other; {_holds(report, held)}: they can never all meet"
            yield Finding(place, short(text), fixes=fixes, severity="warning")
    asking = [it for it in launched_elsewhere(report) if asked_at_once(it.launch, waits) is not None]
    each = ((it, _too_large(report, report_of_far(report, it), waits)) for it in asking)
    far = sorted(((it, found) for it, found in each if found), key=lambda it: not it[0].launch.cooperative)
    if far:
        first, (asked, held) = far[0]
        what = f"a cooperative grid of {asked}" if first.launch.cooperative else f"{asked} that wait for each other"
        text = said_of_far(first, f"{what}; {_holds(report, held)}", len(far) - 1)
        yield Finding(report.kernel.name_place, text, severity=None if first.launch.cooperative else "warning")


def _too_large(report: KernelReport, of: LaunchReport, waits: bool) -> tuple[int, Resident] | None:
    """The work-groups that it has at least, and how many there can be at once."""
    asked = asked_at_once(of.launch, waits)
    held = resident_at_once(report, of) if asked is not None else None
    return (asked, held) if asked is not None and held is not None and asked > held.most else None


def _holds(report: KernelReport, held: Resident) -> str:
    return f"{report.device.name[:_NAME]} holds {'' if held.exact else 'at most '}{held.most} at once"


def _fixes(report: KernelReport, launch: KernelLaunch, asked: int, held: Resident) -> Iterator[Fix]:
    """The largest grid that fits, where the text has the grid as one number that says nothing else of a launch."""
    (x, y, z), words = launch.configuration.grid[1], report.device.nouns
    written = [it.place for it in launch.configuration.grid_literals]
    if not held.exact or not held.most or (y.number, z.number) != (1, 1) or x.number != asked or len(written) != 1:
        return
    if launch.configuration.grid_literals[0].number == asked and not _says_more(report, launch, written[0]):
        title = f"Launch {held.most} {words.groups}, as many as {report.device.name[:_NAME]} holds at once"
        yield Fix(title, ((written[0], str(held.most)),))


def _says_more(report: KernelReport, launch: KernelLaunch, number: Place) -> bool:
    """Whether the number also decides a size of work-groups, or the grid of another launch."""
    if any(it.literal == number for it in launch.configuration.block[1]):
        return True
    others = (it for it in report.every_launch() if it.place != launch.place)
    return any(each.place == number for it in others for each in it.configuration.grid_literals)


RULE = Rule(
    "OCC010",
    "error",
    "blocks wait for all others, and cannot all be resident at once",
    check_view=_check,
    concerns=_concerns,
)
