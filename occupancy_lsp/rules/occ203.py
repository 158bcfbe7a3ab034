"""OCC203: occupancy is under the threshold that the settings give; off as long as they give none."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import deliberate, proved_figure
from occupancy_lsp.view import View
from occupancy_lsp.wording import percent_text


def _check_view(view: View) -> Iterator[tuple[KernelReport, Finding]]:
    threshold = view.settings.threshold
    if threshold is None:
        return
    for report in view.reports:
        figure = proved_figure(report)
        if figure is not None and figure.highest.percent < threshold and not deliberate(view, report):
            most = "" if figure.exact else "at most "
            text = f"{most}{percent_text(figure.highest.percent)}, under the threshold of {percent_text(threshold)}"
            yield report, Finding(report.kernel.name_place, text)


RULE = Rule("OCC203", "information", "occupancy is under the threshold of the settings", True, check_view=_check_view)
