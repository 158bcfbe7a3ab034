"""Why no other work-group size is offered for a kernel that would gain by one."""

from __future__ import annotations

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.text import Text
from occupancy_lsp.edits.resize import refused
from occupancy_lsp.edits.resize.launched import EditContext, Refused
from occupancy_lsp.edits.resize.refusals import refusals
from occupancy_lsp.languages.registry import LANGUAGES


def no_other_size(context: EditContext, index: int) -> str:
    """The first reason, for the hover; "" where there is none, or nothing to gain."""
    report = context.reports[index]
    found = refused(context, index) if may_gain(report) else None
    return f"No other {report.device.nouns.group} size is offered: {_said(found)}." if found else ""


def all_reasons(context: EditContext, index: int) -> str:
    """For an action that cannot be taken."""
    report = context.reports[index]
    found = refusals(context, index) if may_gain(report) else []
    return "; ".join(map(_said, found))


def may_gain(report: KernelReport) -> bool:
    """Whether it is launched with a known size that may be another, and may fill less than the device."""
    figure = report.figure
    resizes = LANGUAGES[report.language].resizes
    return resizes and figure is not None and report.size.exact is not None and figure.lowest.percent < 100


def _said(found: Refused) -> str:
    if found.at is None:
        return found.reason
    file, place = found.at
    if not file.source.holds(place):
        return found.reason
    line = Text(file.content).line_of(file.source.start_of(place.item) + place.start) + 1
    return f"{found.reason} ({file.path.name}:{line})" if file.path else f"{found.reason} (line {line})"
