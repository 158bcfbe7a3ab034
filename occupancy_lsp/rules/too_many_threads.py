"""OCC001: more threads than a work-group may have."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.inputs import stated
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import set_threads
from occupancy_lsp.rules.finding import Finding, Severity, short
from occupancy_lsp.rules.proof import launched, launched_elsewhere, said_of_far, threads_in, without_entry
from occupancy_lsp.source.facts.directives import Stated
from occupancy_lsp.source.text.values import Dimensions, Value, product
from occupancy_lsp.vendors.registry import vendor_of


def _check(report: KernelReport) -> Iterator[Finding]:
    yield from _bounds(report)
    kernel, block = report.kernel, stated(report.directives, "block")
    if block is not None and isinstance(block.directive, Stated):
        text = too_many(report, Value(block.directive.value))
        if text is not None:
            yield Finding(block.place, text)
    # With a size of the kernel's own the launches' second argument is none.
    near = [kernel.block] if kernel.block is not None else [it.block for it in launched(report)]
    far = launched_elsewhere(report) if kernel.block is None else []
    # Where another size fits, the program may choose between them at run time.
    asked = [*(it for _, it in near), *(it.launch.block[1] for it in far)]
    fits = any(product(it).least is not None and _fault(report, it) is None for it in asked)
    severity: Severity = "warning" if fits else "error"
    for place, dimensions in near:
        text = _fault(report, dimensions)
        if text is not None:
            yield Finding(place, short(text), (), without_entry(report, place), severity=severity)
    faults = [(it, text) for it in far if (text := _fault(report, it.launch.block[1])) is not None]
    if faults:
        yield Finding(kernel.name_place, said_of_far(*faults[0], len(faults) - 1), severity=severity)


def _bounds(report: KernelReport) -> Iterator[Finding]:
    """Bounds for a block that cannot be cost registers, or are ignored as a whole; smaller blocks launch."""
    bounds, arch = report.kernel.bounds, report.arch
    threads = bounds.max_threads.value.number if bounds is not None and report.kernel.block is None else None
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


def _fault(report: KernelReport, dimensions: Dimensions) -> str | None:
    z, most = dimensions[2], report.arch.traits.most_in_z
    text = too_many(report, product(dimensions))
    if text is None and z.least is not None and most is not None and z.least > most:
        return f"{threads_in(z)} in z; a {report.device.nouns.group} has at most {most} in that dimension"
    return text


def too_many(report: KernelReport, size: Value) -> str | None:
    """What is wrong with a group of that size; None: nothing is known to be."""
    most, group = report.arch.max_group_size, report.device.nouns.group
    fault = f"{threads_in(size)} per {group}; a {group} has at most {most}"
    return fault if size.least is not None and size.least > most else None


RULE = Rule(
    "OCC001", "error", "more threads than a work-group may have", check=_check, hides_at_place=("OCC003", "OCC303")
)
