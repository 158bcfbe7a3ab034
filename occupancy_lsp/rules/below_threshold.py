"""OCC203: occupancy is under the threshold that the settings give; off as long as they give none."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import deliberate, proved_figure
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings


def _concerns(settings: Settings, report: KernelReport) -> bool:
    figure = proved_figure(report)
    return settings.threshold is not None and figure is not None and figure.highest.percent < settings.threshold


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    threshold, figure = view.settings.threshold, proved_figure(report)
    if threshold is not None and figure is not None and not deliberate(view, report):
        most = "" if figure.exact else "at most "
        text = f"{most}{percent_text(figure.highest.percent)}, below the threshold of {percent_text(threshold)}"
        yield Finding(report.kernel.name_place, text)


RULE = Rule(
    "OCC203",
    "information",
    "occupancy is below the threshold in the settings",
    check_view=_check,
    concerns=_concerns,
    advice=True,
    needs_counts=True,
)
