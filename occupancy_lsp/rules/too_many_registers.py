"""OCC003: the registers of one work-group do not fit."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.model.occupancy import Fault, Need
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, Severity
from occupancy_lsp.rules.proof import launched, register_count, sizes, spared


def _check(report: KernelReport) -> Iterator[Finding]:
    count = register_count(report)
    if count is None:
        return
    asked = [(size, place) for size, place in sizes(report) if size <= report.arch.max_group_size]
    left = {it.configuration.block[0] for it in launched(report) if report.leaves_out(it)}
    for size, place in asked:
        fault = _fault(report, size, count)
        if fault is not None and place not in spared(report):
            severity: Severity = "warning" if place in left else "error"
            yield Finding(place, _message(report, size, count, fault), severity=severity)


def _fault(report: KernelReport, size: int, count: int) -> Fault | None:
    fault = report.arch.occupancy(Need(size, count)).fault
    return fault if fault is not None and fault.resource == "registers" else None


def _message(report: KernelReport, size: int, count: int, fault: Fault) -> str:
    rounded = ", rounded up" if fault.needs != size * count else ""
    words = report.device.nouns
    asked = f"{fault.needs} {words.registers} requested; a {words.group} may have {fault.allows}"
    return f"{asked} ({count} × {size} threads{rounded})"


RULE = Rule(
    "OCC003",
    "error",
    "the registers of one work-group do not fit",
    check=_check,
    hides_at_place=("OCC303",),
    needs_counts=True,
)
