"""OCC004: something that the selected device's architecture lacks."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.source.text.values import Place
from occupancy_lsp.vendors.registry import vendor_of


def _check(report: KernelReport) -> Iterator[Finding]:
    kernel = report.kernel
    refused = "" if kernel.conditional else vendor_of(report.arch).refused_clusters(report.arch, report.language)
    for what, place in _cluster_annotations(report) if refused else ():
        yield Finding(place, f"{what} {refused}")


def _cluster_annotations(report: KernelReport) -> Iterator[tuple[str, Place]]:
    """Those whose numbers are known: an annotation under a doubtful #if has none, nor one that a template decides."""
    kernel, bounds = report.kernel, report.kernel.bounds
    if bounds is not None and bounds.max_cluster is not None and bounds.max_cluster.value.number is not None:
        yield "a cluster size", bounds.max_cluster.place
    if kernel.block is not None and all(it.number is not None for it in kernel.block[1]):
        yield "__block_size__", kernel.block[0]
    elif kernel.cluster is not None and all(it.number is not None for it in kernel.cluster[1]):
        yield "__cluster_dims__", kernel.cluster[0]


RULE = Rule("OCC004", "error", "the device lacks what is asked for", check=_check)
