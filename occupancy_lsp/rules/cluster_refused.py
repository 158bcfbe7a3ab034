"""OCC008: clusters that a compiler rejects or no launch can have."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.failing import beyond_largest_cluster
from occupancy_lsp.analysis.refused import cluster_beside_bound
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, Note
from occupancy_lsp.rules.proof import refused
from occupancy_lsp.settings import Settings


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return report.clustered


def _check(report: KernelReport) -> Iterator[Finding]:
    if not report.arch.clusters:
        return
    yield from _in_one_head(report)
    yield from _too_large(report)
    yield from refused(report, "OCC008")


def _in_one_head(report: KernelReport) -> Iterator[Finding]:
    found = cluster_beside_bound(report.arch, report.kernel, report.language)
    if found is not None:
        groups = report.device.nouns.groups
        text = f"clusters of exactly {found.size} and of at most {found.most} {groups}: {found.says}"
        yield Finding(found.bound, text, (Note(found.exact, "the exact size"),))


def _too_large(report: KernelReport) -> Iterator[Finding]:
    """By its head: of its launches, what refuses them tells."""
    for it in beyond_largest_cluster(report.arch, report.language, report.kernel.attributes.cluster):
        yield Finding(it.place, it.text)


RULE = Rule(
    "OCC008",
    "error",
    "a cluster that the compiler rejects or no launch can have",
    check=_check,
    concerns=_concerns,
)
