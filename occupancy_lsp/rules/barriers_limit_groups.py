"""OCC307: barriers alone limit the number of resident work-groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from occupancy_lsp.analysis.inputs import IN_THE_TEXT, STATED
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import proved_figure


def _check(report: KernelReport) -> Iterator[Finding]:
    figure = proved_figure(report)
    if figure is None or not figure.exact or figure.most != figure.least or not _counted(report):
        return
    now, need = figure.highest, figure.least
    if report.arch.traits.counts_barriers and now.groups and now.limiters == ("barriers",):
        yield Finding(report.kernel.name_place, _message(report, need, now))


def _counted(report: KernelReport) -> bool:
    """Whether the number of barriers is sure: by the text, a person, or fresh counts for this architecture."""
    sure = all(it.freshness == "fresh" and (it.usage.arch or it.usage.source == "declared") for it in report.counted)
    return report.built.barriers.exact is not None and (sure or report.built.barriers.origin in (STATED, IN_THE_TEXT))


def _message(report: KernelReport, need: Need, now: Occupancy) -> str:
    arch = report.arch
    words, each, held = report.device.nouns, need.barriers, arch.barriers_per_unit or 0
    fewer = held // (now.groups + 1)
    better = arch.occupancy(replace(need, barriers=fewer))
    lead = f"{each} barrier{'s' * (each > 1)} per {words.group}, {words.a_unit} has {held}: "
    groups = f"{words.group} is" if now.groups == 1 else f"{words.groups} are"
    resident = f"{now.groups} {groups} resident ({percent_text(now.percent)})"
    return f"{lead}{resident}; {f'≤ {fewer}' if fewer else 'none'} would allow {better.groups}"


RULE = Rule(
    "OCC307",
    "hint",
    "barriers alone limit the number of resident work-groups",
    check=_check,
    advice=True,
    needs_counts=True,
)
