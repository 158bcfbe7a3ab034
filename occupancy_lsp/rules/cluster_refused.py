"""OCC008: clusters that a compiler rejects or no launch can have."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.failing import beyond_largest_cluster
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, Note
from occupancy_lsp.rules.proof import refused
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.syntax.known_value import product_of_dimensions
from occupancy_lsp.vendors.registry import vendor_of


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return report.clustered


def _check(report: KernelReport) -> Iterator[Finding]:
    if not report.arch.clusters:
        return
    yield from _in_one_head(report)
    yield from _too_large(report)
    yield from refused(report, "OCC008")


def _in_one_head(report: KernelReport) -> Iterator[Finding]:
    kernel = report.kernel
    bound = kernel.attributes.bounds.max_cluster if kernel.attributes.bounds else None
    refused = vendor_of(report.arch).refused_together(report.arch, report.language)
    if kernel.attributes.cluster is None or bound is None or not refused or not _compiled(kernel):
        return
    size = product_of_dimensions(kernel.attributes.cluster[1]).number
    if size and bound.value.number:
        text = f"clusters of exactly {size} and of at most {bound.value.number} {report.device.nouns.groups}: {refused}"
        yield Finding(bound.place, text, (Note(kernel.attributes.cluster[0], "the exact size"),))


def _compiled(kernel: Kernel) -> bool:
    """Whether code is surely made of it, where the compiler then fails."""
    return not kernel.conditional and (kernel.template is None or bool(kernel.instances))


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
