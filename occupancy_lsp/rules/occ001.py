"""OCC001: more threads than a work-group may have."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis import KernelReport
from occupancy_lsp.inputs import stated
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import launched
from occupancy_lsp.syntax.directives import Stated
from occupancy_lsp.syntax.values import Dimensions, product

_MOST_IN_Z = 64  # on every NVIDIA device


def _check(report: KernelReport) -> Iterator[Finding]:
    kernel, block = report.kernel, stated(report.said, "block")
    if block is not None and isinstance(block.directive, Stated):
        text = _too_many(report, block.directive.value)
        if text is not None:
            yield Finding(block.place, text)
    # With a size of the kernel's own the launches' second argument is none.
    asked = [kernel.block] if kernel.block is not None else [launch.block for launch in launched(report)]
    # Where another size fits, the program may choose between them at run time.
    fits = any(product(it).number is not None and _fault(report, it) is None for _, it in asked)
    for place, dimensions in asked:
        text = _fault(report, dimensions)
        if text is not None:
            yield Finding(place, text, severity="warning" if fits else "error")


def _fault(report: KernelReport, dimensions: Dimensions) -> str | None:
    threads, z = product(dimensions).number, dimensions[2].number
    too_many = _too_many(report, threads) if threads is not None else None
    if too_many is None and z is not None and z > _MOST_IN_Z and report.device.vendor == "nvidia":
        return f"{z} threads in z; a {report.device.nouns.group} has at most {_MOST_IN_Z} in that direction"
    return too_many


def _too_many(report: KernelReport, threads: int) -> str | None:
    most, group = report.arch.max_group_size, report.device.nouns.group
    return f"{threads} threads per {group}; a {group} has at most {most}" if threads > most else None


RULE = Rule("OCC001", "error", "more threads than a work-group may have", False, _check)
