"""OCC102: the compiler ignores minBlocks for the selected device."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import drop_min_groups, numbers, set_min_groups
from occupancy_lsp.rules.elsewhere import fine_elsewhere
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return next(ignored(report), None) is not None


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    for finding in ignored(report):
        yield fine_elsewhere(view, report, finding, _heeded)


def _heeded(report: KernelReport) -> bool:
    return numbers(report) is not None and next(ignored(report), None) is None


def ignored(report: KernelReport) -> Iterator[Finding]:
    found = numbers(report)
    if found is None or report.arch.min_groups_honoured(*found[1:]):
        return
    bounds, threads, wanted = found
    if bounds.min_groups is None:
        return
    arch = report.arch
    warps = -(-threads // arch.sub_group_size)
    reachable = min(arch.max_groups, arch.max_sub_groups // warps)
    fixes = [drop_min_groups(report, bounds, threads, wanted, "ptxas ignores it")]
    if reachable:
        effect = f"the most that {arch.id} honours"
        fixes.insert(0, set_min_groups(report, bounds, threads, wanted, reachable, effect))
    yield Finding(bounds.min_groups.place, _message(report, warps, wanted), fixes=tuple(fixes), unnecessary=True)


def _message(report: KernelReport, warps: int, wanted: int) -> str:
    arch, words = report.arch, report.device.nouns
    lead = f"minBlocks {wanted} is ignored on {arch.id}: "
    if wanted * warps > arch.max_sub_groups:
        asked = f"{wanted} × {warps} {words.sub_groups} are {wanted * warps}"
        return f"{lead}{asked}, {words.a_unit} holds {arch.max_sub_groups}"
    return f"{lead}{words.a_unit} holds {arch.max_groups} {words.groups}"


RULE = Rule("OCC102", "warning", "minBlocks is ignored on this device", check_view=_check, concerns=_concerns)
