"""OCC004: something that the selected device's architecture lacks."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.refused import unsupported
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import refused


def _check(report: KernelReport) -> Iterator[Finding]:
    for place, says in unsupported(report.arch, report.kernel, report.language):
        yield Finding(place, says)
    yield from refused(report, "OCC004")


RULE = Rule("OCC004", "error", "the device lacks what is asked for", check=_check)
