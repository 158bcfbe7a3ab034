"""What `__launch_bounds__(max_threads, min_groups)` makes ptxas do: checked against ptxas 11.8 to 13.5."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.core.query import remembered
from occupancy_lsp.model.search import largest
from occupancy_lsp.vendors.nvidia.hardware import NvidiaHardware
from occupancy_lsp.vendors.nvidia.registers import register_limit

_FEWEST = 24  # registers that ptxas compiles for, whatever it is asked


def asked_ceiling(arch: NvidiaHardware, registers: int) -> int:
    """The ceiling that `__maxnreg__` or `--maxrregcount` sets. ptxas raises few, and has no more than a thread can."""
    return min(max(registers, _FEWEST), arch.max_registers)


def honoured(arch: NvidiaHardware, max_threads: int) -> bool:
    """Whether ptxas heeds bounds of so many threads: an SM must hold them."""
    return 0 < _warps(arch, max_threads) <= arch.max_sub_groups


@remembered(1024)  # asked for at each key, mostly of what it was before
def register_ceiling(arch: NvidiaHardware, max_threads: int, min_groups: int | None = None) -> int:
    """The most registers per thread that ptxas gives a kernel with these bounds: a ceiling, not a count.

    `min_groups` None or 0: not said. What ptxas ignores, with a warning, is ignored here.
    """
    if not honoured(arch, max_threads):
        return arch.max_registers
    warps = _warps(arch, max_threads)
    wanted = min_groups if min_groups and min_groups_honoured(arch, max_threads, min_groups) else 1
    if arch.generation == 6:
        # ptxas allocates as if GP100 had the four sub-partitions of the rest of its family.
        arch = replace(arch, sub_partitions=4)
    ceiling = largest(1, arch.max_registers, lambda registers: register_limit(arch, warps, registers) >= wanted)
    return ceiling or 0


def min_groups_honoured(arch: NvidiaHardware, max_threads: int, min_groups: int) -> bool:
    """Whether ptxas heeds `min_groups`: it must be a number of blocks whose warps one SM can hold."""
    warps = _warps(arch, max_threads)
    return 0 < min_groups <= arch.max_groups and 0 < min_groups * warps <= arch.max_sub_groups


def _warps(arch: NvidiaHardware, threads: int) -> int:
    return -(-threads // arch.sub_group_size)
