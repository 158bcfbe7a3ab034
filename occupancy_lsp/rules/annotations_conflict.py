"""OCC009: annotations that the compiler rejects at one kernel."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.refused import conflicts
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, Note


def _check(report: KernelReport) -> Iterator[Finding]:
    for it in conflicts(report.arch, report.kernel, report.language):
        yield Finding(it.place, it.says, (Note(it.other, "the other"),), severity=None if it.always else "warning")


RULE = Rule("OCC009", "error", "annotations that the compiler rejects at one kernel", check=_check)
