"""OCC001: more threads than a work-group may have."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.failing import refusals_of_own_size
from occupancy_lsp.analysis.inputs import stated
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import set_threads
from occupancy_lsp.rules.finding import Finding, short
from occupancy_lsp.rules.proof import (
    launched,
    launched_elsewhere,
    refused,
    said_of_far,
    severity_of,
    threads_in,
    without_entry,
)
from occupancy_lsp.source.lower.annotation_comments import StatedFact
from occupancy_lsp.source.syntax.known_value import Value, product_of_dimensions
from occupancy_lsp.vendors.registry import vendor_of


def _check(report: KernelReport) -> Iterator[Finding]:
    yield from _bounds(report)
    kernel, block = report.kernel, stated(report.directives, "block")
    if block is not None and isinstance(block.directive, StatedFact):
        text = too_many(report, Value(block.directive.value))
        if text is not None:
            yield Finding(block.place, text)
    # With a size of the kernel's own the launches' second argument is none.
    if kernel.attributes.block is not None:
        text = too_many(report, product_of_dimensions(kernel.attributes.block[1]))
        if text is not None:
            yield Finding(kernel.attributes.block[0], text, severity="error")
        yield from (Finding(it.place, it.text, severity="error") for it in refusals_of_own_size(report.arch, kernel))
    else:
        yield from _of_launches(report)
    yield from refused(report, "OCC001")


def _of_launches(report: KernelReport) -> Iterator[Finding]:
    for launch in launched(report):
        place, text = launch.configuration.block[0], too_many(report, launch.size)
        if text is not None:
            fixes = without_entry(report, place)
            yield Finding(place, short(text), (), fixes, severity=severity_of(report, launch))
    far = [(it, text) for it in launched_elsewhere(report) if (text := too_many(report, it.launch.size)) is not None]
    if far:
        yield Finding(report.kernel.name_place, said_of_far(*far[0], len(far) - 1))


def _bounds(report: KernelReport) -> Iterator[Finding]:
    """Bounds for a block that cannot be cost registers, or are ignored as a whole; smaller blocks launch."""
    bounds, arch = report.kernel.attributes.bounds, report.arch
    threads = bounds.max_threads.value.number if bounds is not None and report.kernel.attributes.block is None else None
    if bounds is None or threads is None or threads <= arch.max_group_size:
        return
    most, group = arch.max_group_size, report.device.nouns.group
    wanted = bounds.min_groups.value.number if bounds.min_groups else None
    effect = vendor_of(arch).oversized_bounds(arch, threads, wanted)
    if not effect:
        return
    text = f"bounds for {threads} threads; a {group} has at most {most}: {effect}"
    yield Finding(
        bounds.max_threads.place, text, fixes=(set_threads(report, bounds, threads, most),), severity="warning"
    )


def too_many(report: KernelReport, size: Value) -> str | None:
    """What is wrong with a group of that size; None: nothing is known to be."""
    most, group = report.arch.max_group_size, report.device.nouns.group
    fault = f"{threads_in(size)} per {group}; a {group} has at most {most}"
    return fault if size.least is not None and size.least > most else None


RULE = Rule(
    "OCC001", "error", "more threads than a work-group may have", check=_check, hides_at_place=("OCC003", "OCC303")
)
