"""What launch bounds make the compilers do. `__launch_bounds__(max_threads, min_groups)`: checked against ptxas 11.8 to
13.5. HIP's second number counts waves per SIMD, not groups: `model.amd_bounds`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.search import largest
from occupancy_lsp.vendors.amd import bounds as amd_bounds
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from occupancy_lsp.vendors.nvidia.registers import register_limit

_FEWEST = 24  # registers that ptxas compiles for, whatever it is asked


def asked_ceiling(arch: Architecture, registers: int) -> int:
    """The ceiling that `__maxnreg__` or `--maxrregcount` sets. ptxas raises few, and has no more than a thread can."""
    return min(max(registers, _FEWEST), arch.max_registers) if isinstance(arch, NvidiaArch) else arch.max_registers


def bounds_honoured(arch: Architecture, max_threads: int) -> bool:
    """Whether ptxas heeds bounds of so many threads: an SM must hold them. Others: those that a group can have."""
    if not isinstance(arch, NvidiaArch):
        return 0 < max_threads <= arch.max_group_size
    return 0 < _warps(arch, max_threads) <= arch.max_sub_groups


@lru_cache(maxsize=1024)  # asked for at each key, mostly of what it was before
def register_ceiling(arch: Architecture, max_threads: int, min_groups: int | None = None) -> int:
    """The most registers per thread that the compiler gives a kernel with these bounds: a ceiling, not a count.

    `min_groups` None or 0: not said. What ptxas ignores, with a warning, is ignored here.
    """
    if isinstance(arch, AmdArch):
        return amd_bounds.register_ceiling(arch, max_threads, min_groups)
    warps = _warps(arch, max_threads)
    if not isinstance(arch, NvidiaArch) or not bounds_honoured(arch, max_threads):
        return arch.max_registers
    wanted = min_groups if min_groups and min_groups_honoured(arch, max_threads, min_groups) else 1
    if arch.generation == 6:
        # ptxas allocates as if GP100 had the four sub-partitions of the rest of its family.
        arch = replace(arch, sub_partitions=4)
    ceiling = largest(1, arch.max_registers, lambda registers: register_limit(arch, warps, registers) >= wanted)
    return ceiling or 0


def min_groups_honoured(arch: Architecture, max_threads: int, min_groups: int) -> bool:
    """Whether ptxas heeds `min_groups`: it must be a number of blocks whose warps one SM can hold. Others: yes."""
    if isinstance(arch, AmdArch):
        return amd_bounds.waves_honoured(arch, max_threads, min_groups)
    if not isinstance(arch, NvidiaArch):
        return True
    warps = _warps(arch, max_threads)
    return 0 < min_groups <= arch.max_groups and 0 < min_groups * warps <= arch.max_sub_groups


def _warps(arch: Architecture, threads: int) -> int:
    return -(-threads // arch.sub_group_size)
