"""The most registers that ptxas gives a kernel by its annotations and its command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from occupancy_lsp.vendors.stated import min_groups, stated_threads, states_threads
from occupancy_lsp.vendors.vendor import Ceiling, Options

if TYPE_CHECKING:
    from occupancy_lsp.source.kernels.kernels import Kernel


def ceiling(arch: NvidiaArch, kernel: Kernel, options: Options) -> Ceiling | None:
    """`--maxrregcount` is for kernels that state nothing, or bounds that ptxas does not heed."""
    if kernel.max_registers is not None:
        given = kernel.max_registers.value.number
        return Ceiling(arch.asked_ceiling(given), "its register cap") if given and given > 0 else None
    threads = stated_threads(kernel)
    if states_threads(kernel) and threads is None:
        return None
    if threads and arch.bounds_honoured(threads):
        return Ceiling(arch.register_ceiling(threads, min_groups(kernel)), "its bounds")
    if options.max_registers is None:
        return None
    return Ceiling(arch.asked_ceiling(options.max_registers), "--maxrregcount of its command")
