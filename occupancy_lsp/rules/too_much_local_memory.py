"""OCC002: more static local memory than a work-group may have."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport, instance_reports
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, fitting
from occupancy_lsp.rules.proof import own_variables, variable_notes
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.kernels.local_memory import LocalMemoryVariable
from occupancy_lsp.vendors.registry import vendor_of


def _concerns(settings: Settings, report: KernelReport) -> bool:
    most = report.arch.local_per_group
    kernels = (report.kernel, *report.kernel.instances)
    return max(it.summary.local.lowest for it in kernels) + _beside(report) > most > 0


def _beside(report: KernelReport) -> int:
    """Bytes that each work-group has beside the kernel's variables."""
    return vendor_of(report.arch).local_beside_variables(report.arch)[0]


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    kernel, most = report.kernel, report.arch.local_per_group
    if kernel.summary.local.lowest + _beside(report) > most:
        # A template is refused only where it is used.
        if kernel.template is None or kernel.instances:
            yield from _of(view, report)
        return
    largest = max(instance_reports(report), key=lambda it: it.kernel.summary.local.lowest)
    instance = f"<{largest.kernel.arguments}>: "
    yield from _of(view, largest, (f"{kernel.name}{instance}", instance))


def _of(view: View, report: KernelReport, instance: tuple[str, ...] = ()) -> Iterator[Finding]:
    kernel, most = report.kernel, report.arch.local_per_group
    # What has been compiled has not been refused.
    if kernel.conditional or report.local.origin == "compiled":
        return
    proved = report.local.static[0] > most and not report.device.estimated
    own, variables = own_variables(report), _variables(view, report)
    total = _total(own if proved else variables) or kernel.summary.local.lowest
    beside = _beside(report) if proved and total <= most else 0
    largest = max(own, key=lambda it: it.bytes.number or 0, default=None)
    words = report.device.nouns
    unless = "" if proved else " (unless some is unread)"
    unless = f", {beside} of them beside its variables" if beside else unless
    text = f"{total + beside} B of static {words.local_memory}{unless}; a {words.group} may have {most}"
    text = fitting(f"{it}{text}" for it in (*instance, ""))
    place = kernel.name_place if largest is None else largest.place
    yield Finding(place, text, variable_notes(report), severity="error" if proved else "warning")


def _variables(view: View, report: KernelReport) -> list[LocalMemoryVariable]:
    """All that are read, those of functions that it calls among them; none where they stand elsewhere, too."""
    found = [it for it in report.kernel.summary.local.variables if it.read and it.bytes.number]
    here = all(view.source.holds(it.place) for it in found)
    return found if here and _total(found) > report.arch.local_per_group else []


def _total(variables: list[LocalMemoryVariable]) -> int:
    return sum(it.bytes.number or 0 for it in variables)


RULE = Rule(
    "OCC002",
    "error",
    "more static local memory than a work-group may have",
    check_view=_check,
    concerns=_concerns,
    hides_in_kernel=("OCC101", "OCC107", "OCC201", "OCC203"),
)
