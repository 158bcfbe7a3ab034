"""OCC003: the registers of one work-group do not fit."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.model.occupancy import Fault, Need
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, Severity
from occupancy_lsp.rules.proof import register_count, sizes, spared


def _check(report: KernelReport) -> Iterator[Finding]:
    count = register_count(report)
    if count is None:
        return
    asked = [(size, place) for size, place in sizes(report) if size <= report.arch.max_group_size]
    faults = [_fault(report, size, count) for size, _ in asked]
    # Where another size fits, the program may choose between them at run time.
    severity: Severity = "error" if all(faults) else "warning"
    for (size, place), fault in zip(asked, faults, strict=True):
        if fault is not None and place not in spared(report):
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
