"""How much LDS LLVM may use of its own accord: it moves a thread's arrays there that it cannot keep in registers, each
once for every thread of the largest group, as long as that costs no wave (AMDGPUPromoteAlloca, LLVM 16 to 19)."""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.amd.compiler import as_compiled
from occupancy_lsp.vendors.amd.hardware import AmdHardware
from occupancy_lsp.vendors.amd.rule import unit_of

# For how many threads AMD's compiler builds a kernel that states no bound (LLVM, AMDGPUUsage).
DEFAULT_THREADS = {"hip": 1024, "numba-hip": 1024, "opencl": 256}


def with_moved_arrays(
    arch: AmdHardware, threads: int, static: int, arrays: Sequence[tuple[int, int | None]], fewer_waves: bool = False
) -> int:
    """The most bytes that a group of up to `threads` comes to; `static` where no array fits.

    `arrays`: the fewest and the most bytes of each, None where not known.
    `fewer_waves`: the kernel does with fewer than would fit.
    """
    if arch.vliw or threads < 1:
        return static
    most = arch.local_per_group if fewer_waves else min(_room(arch, threads, static), arch.local_per_group)
    fitting = [highest for lowest, highest in arrays if static + threads * max(lowest, 1) <= most]
    if not fitting:
        return static
    return most if None in fitting else min(most, static + threads * sum(size or 0 for size in fitting))


def _room(arch: AmdHardware, threads: int, static: int) -> int:
    """The LDS that each group may take without there being fewer waves than `static` bytes allow."""
    arch = as_compiled(arch)
    unit = unit_of(arch, Need(1))
    waves, slots, local = unit.waves(threads), arch.waves_per_simd, arch.local_per_cu * unit.cus
    groups = slots * unit.simds if waves == 1 else min(slots * unit.simds // waves, arch.groups_per_cu * unit.cus)
    held = min(groups, local // max(static, 1))
    if not held:
        return static
    resident = min(-(-held * waves // unit.simds), slots)
    return local if resident == 1 else local * slots // groups // resident
