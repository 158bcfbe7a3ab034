"""OCC002: more static local memory than a work-group may have."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, Severity
from occupancy_lsp.rules.proof import own_variables, variable_notes
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.kernels.local_memory import Variable
from occupancy_lsp.source.kernels.statements import surely_read
from occupancy_lsp.source.text.values import Place


def _concerns(settings: Settings, report: KernelReport) -> bool:
    most = report.arch.local_per_group
    return report.arch.traits.refuses_local and report.kernel.local.lowest > most > 0


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    kernel, most = report.kernel, report.arch.local_per_group
    compiled = report.local.origin == "compiled"
    variables = own_variables(report)
    # A template is refused only where it is used; what has been compiled has not been refused.
    if kernel.template is not None or kernel.conditional or compiled or _total(variables) <= most:
        return
    read = surely_read(_text(view, kernel.head), _text(view, kernel.body), {it.name for it in variables})
    proved = _total([it for it in variables if it.name in read]) > most
    severity: Severity = "error" if proved else "warning"
    largest = max(variables, key=lambda it: it.bytes.number or 0)
    words = report.device.nouns
    unless = "" if proved else " (unless some of it is never read)"
    text = f"{_total(variables)} B of static {words.local_memory}{unless}; a {words.group} may have {most}"
    yield Finding(largest.place, text, variable_notes(report), severity=severity)


def _total(variables: list[Variable]) -> int:
    return sum(it.bytes.number or 0 for it in variables)


def _text(view: View, place: Place) -> bytes:
    return view.source.item_text(place.item)[place.start : place.end].strip()


RULE = Rule(
    "OCC002",
    "error",
    "more static local memory than a work-group may have",
    check_view=_check,
    concerns=_concerns,
    hides_in_kernel=("OCC101", "OCC107", "OCC201", "OCC203"),
)
