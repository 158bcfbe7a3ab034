"""OCC008: clusters that a compiler rejects or no launch can have."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, Note
from occupancy_lsp.rules.proof import launched
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.kernels.kernels import Kernel
from occupancy_lsp.source.kernels.launches import KernelLaunch
from occupancy_lsp.source.text.values import Dimensions, Place, product
from occupancy_lsp.vendors.registry import vendor_of

Cluster = tuple[Place, Dimensions]


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return report.clustered


def _check(report: KernelReport) -> Iterator[Finding]:
    if not report.arch.clusters:
        return
    yield from _in_one_head(report)
    yield from _too_large(report)
    for launch in launched(report):
        yield from _grid(report, launch)
        yield from _asked(report, launch)


def _in_one_head(report: KernelReport) -> Iterator[Finding]:
    kernel = report.kernel
    bound = kernel.bounds.max_cluster if kernel.bounds else None
    refused = vendor_of(report.arch).refused_together(report.arch, report.language)
    if kernel.cluster is None or bound is None or not refused or not _compiled(kernel):
        return
    size = product(kernel.cluster[1]).number
    if size and bound.value.number:
        text = f"clusters of exactly {size} and of at most {bound.value.number} {report.device.nouns.groups}: {refused}"
        yield Finding(bound.place, text, (Note(kernel.cluster[0], "the exact size"),))


def _compiled(kernel: Kernel) -> bool:
    """Whether code is surely made of it, where the compiler then fails."""
    return not kernel.conditional and (kernel.template is None or bool(kernel.instances))


def _too_large(report: KernelReport) -> Iterator[Finding]:
    sizes = vendor_of(report.arch).cluster_sizes(report.arch, report.language)
    if sizes is None:
        return
    words = report.device.nouns
    asked = [report.kernel.cluster, *(it.cluster for it in launched(report))]
    for place, dimensions in (it for it in asked if it is not None):
        size = product(dimensions).number
        if size is not None and size > sizes.most:
            yield Finding(place, f"a cluster of {size} {words.groups}; no device has more than {sizes.most}")


def _grid(report: KernelReport, launch: KernelLaunch) -> Iterator[Finding]:
    """A grid of blocks is made of whole clusters; that of a kernel with `__block_size__` counts clusters."""
    cluster = launch.cluster or report.kernel.cluster
    if cluster is None or report.kernel.block is not None:
        return
    words = report.device.nouns
    for axis, blocks, size in zip("xyz", launch.grid[1], cluster[1], strict=True):
        if blocks.number and size.number and blocks.number % size.number:
            what = f"a grid of {blocks.number} {words.groups} in {axis}"
            text = f"{what} is no multiple of the cluster's {size.number}: the launch fails"
            yield Finding(launch.grid[0], text, (Note(cluster[0], "the cluster"),))
            return


def _asked(report: KernelReport, launch: KernelLaunch) -> Iterator[Finding]:
    """By the launch, against what the kernel's head says."""
    if launch.cluster is None:
        return
    place, asked = launch.cluster
    size, kernel, words = product(asked).number, report.kernel, report.device.nouns
    bound = kernel.bounds.max_cluster if kernel.bounds else None
    if size and bound is not None and bound.value.number and size > bound.value.number:
        allowed = f"the kernel's launch bounds allow {bound.value.number}"
        text = f"a cluster of {size} {words.groups}; {allowed}: the launch fails"
        yield Finding(place, text, (Note(bound.place, "the launch bounds"),))
    if kernel.cluster is not None and size:
        fixed = [it.number for it in kernel.cluster[1]]
        if None not in fixed and fixed != [it.number for it in asked]:
            text = (
                f"a cluster of {_said(asked)}; the kernel is compiled for {_said(kernel.cluster[1])}: the launch fails"
            )
            yield Finding(place, text, (Note(kernel.cluster[0], "the kernel's own"),))


def _said(dimensions: Dimensions) -> str:
    return " × ".join(str(it.number) for it in dimensions)


RULE = Rule(
    "OCC008",
    "error",
    "a cluster that the compiler rejects or no launch can have",
    check=_check,
    concerns=_concerns,
)
