"""OCC101: minBlocks cannot be reached, because shared memory allows fewer."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import ask_for_one, numbers, set_min_groups
from occupancy_lsp.rules.elsewhere import fine_elsewhere
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import has_registers_to_spare, local_bytes, variable_notes
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return next(unreachable(report), None) is not None


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    for finding in unreachable(report):
        yield fine_elsewhere(view, report, finding, _reached)


def _reached(report: KernelReport) -> bool:
    found = numbers(report)
    honoured = found is not None and report.arch.min_groups_honoured(*found[1:])
    return honoured and next(unreachable(report), None) is None


def unreachable(report: KernelReport) -> Iterator[Finding]:
    found = numbers(report)
    if found is None or not report.arch.min_groups_honoured(*found[1:]):
        return
    bounds, threads, wanted = found
    needs = local_bytes(report)
    allows = report.arch.occupancy(Need(report.arch.sub_group_size, dynamic_local=needs)).limits.local_memory
    if allows is None or not 0 < allows < wanted or bounds.min_groups is None:
        return
    cap = report.arch.register_ceiling(threads, wanted)
    if has_registers_to_spare(report, cap):
        return
    words = report.device.nouns
    held, fit = (f"1 {words.group}", "fits") if allows == 1 else (f"{allows} {words.groups}", "fit")
    yield Finding(
        bounds.min_groups.place,
        f"minBlocks {wanted} needlessly caps registers at {cap}: {words.local_memory} fits {held} of {needs} B",
        variable_notes(report),
        (
            set_min_groups(report, bounds, threads, wanted, allows, f"{held} {fit}, as before"),
            *([ask_for_one(report, bounds, threads, wanted)] if allows > 1 else []),
        ),
    )


RULE = Rule(
    "OCC101",
    "warning",
    "minBlocks cannot be reached: shared memory allows fewer",
    check_view=_check,
    concerns=_concerns,
    hides_in_kernel=("OCC106", "OCC201", "OCC301"),
)
