"""OCC006: sizes that no launch can have, or that no compiler takes."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.refused import invalid_numbers
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import refused


def _check(report: KernelReport) -> Iterator[Finding]:
    for place, says in invalid_numbers(report.arch, report.kernel, report.language):
        yield Finding(place, says)
    yield from refused(report, "OCC006")


RULE = Rule(
    "OCC006",
    "error",
    "a size that no launch can have or no compiler accepts",
    check=_check,
)
