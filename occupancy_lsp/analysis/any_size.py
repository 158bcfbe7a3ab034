"""What holds at every size that a kernel can be launched with, where none is known."""

from __future__ import annotations

from occupancy_lsp.analysis.inputs import GroupSize
from occupancy_lsp.analysis.report import Figure, KernelReport, figure, worse
from occupancy_lsp.model.sweep import inc_warp
from occupancy_lsp.vendors.registry import vendor_of

_BINDS_AT = 3  # more sizes than that: a limit that binds smaller groups alone says nothing of real launches


def at_size(report: KernelReport, size: int) -> Figure | None:
    return figure(report.arch, GroupSize((size,), False, ""), report.registers, report.local, report.built)


def any_size(report: KernelReport) -> Figure | None:
    """The figure over all its sizes; None: nothing about the kernel bears on it, or its size is fixed.

    Sizes between whole sub-groups are as the next one up.
    """
    bears = report.registers.capped or report.registers.lowest is not None
    if report.kernel.attributes.block is not None or not (bears or report.local.static[0] or report.local.dynamic[0]):
        return None
    return report.beside.ask("any size", lambda: _over_all(report))


def most_threads(report: KernelReport) -> int:
    """Of the largest group that it can be launched with."""
    arch = report.arch
    most = vendor_of(arch).most_threads(arch, report.kernel, report.language, report.options)
    return most or arch.max_group_size


def _over_all(report: KernelReport) -> Figure | None:
    arch, most = report.arch, most_threads(report)
    width = min(arch.built_widths, default=arch.sub_group_size)
    sizes = tuple(sorted({min(size, most) for size in (*inc_warp(arch, width), most)}))
    found = figure(arch, GroupSize(sizes, False, ""), report.registers, report.local, report.built)
    return worse(found, report.device)


def groups_by_memory(found: Figure) -> int | None:
    """The most groups that local memory allows at any size, where fewer than others allow groups of some sub-groups."""
    limits = [(it.highest.limits.local_memory, it.highest.limits.sub_groups) for it in found.each]
    most = max((memory for memory, _ in limits if memory is not None), default=None)
    binding = [others for _, others in limits if most is not None and others is not None and most < others]
    return most if len(binding) > _BINDS_AT else None
