"""The most registers that ptxas gives a kernel by its annotations and its command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from occupancy_lsp.vendors.stated import min_groups, stated_threads, states_threads
from occupancy_lsp.vendors.vendor import Ceiling, Options

if TYPE_CHECKING:
    from occupancy_lsp.source.kernels.kernel import Kernel
    from occupancy_lsp.source.kernels.setmaxnreg import RequestedRegisters


def ceiling(arch: NvidiaArch, kernel: Kernel, options: Options) -> Ceiling | None:
    """`--maxrregcount` is for kernels that state nothing, or bounds that ptxas does not heed."""
    if kernel.attributes.max_registers is not None:
        given = kernel.attributes.max_registers.value.number
        return Ceiling(arch.asked_ceiling(given), "its register cap") if given and given > 0 else None
    threads = stated_threads(kernel)
    if states_threads(kernel) and threads is None:
        return None
    if threads and arch.bounds_honoured(threads):
        return Ceiling(arch.register_ceiling(threads, min_groups(kernel)), "its bounds")
    if options.max_registers is None:
        return None
    return Ceiling(arch.asked_ceiling(options.max_registers), "--maxrregcount of its command")


def at_entry(arch: NvidiaArch, kernel: Kernel, asked: RequestedRegisters, options: Options) -> tuple[int, int] | None:
    """The fewest and the most registers of a kernel that has `setmaxnreg`: all that its bounds leave it, and no more
    than the most that it asks for, which a function out of sight may raise. None: ptxas may ignore it.

    Measured with ptxas 13.0 and 13.5, which ignore it in relocatable code (C7504), and where neither a number of blocks
    nor a cap of registers is stated (C7508).
    """
    cap = None if options.relocatable else _cap_at_entry(arch, kernel)
    if cap is None or (kernel.summary.local.unseen and not asked.every):
        return None
    least = max(asked.sure) if asked.sure else min((cap, *asked.every))
    most = max(asked.every) if asked.sure and not kernel.summary.local.unseen else cap
    return min(least, cap), min(most, cap)


def _cap_at_entry(arch: NvidiaArch, kernel: Kernel) -> int | None:
    if kernel.attributes.max_registers is not None:
        given = kernel.attributes.max_registers.value.number
        return arch.asked_ceiling(given) if given and given > 0 else None
    threads, groups = stated_threads(kernel), min_groups(kernel)
    if not threads or not groups or not arch.bounds_honoured(threads):
        return None
    return arch.register_ceiling(threads, groups) if arch.min_groups_honoured(threads, groups) else None
