"""What group sizes and `amdgpu_waves_per_eu` make LLVM do to a kernel's vector registers. Checked against LLVM
14 to 22.

HIP's `__launch_bounds__(T, W)` is `amdgpu_flat_work_group_size(1, T)` and `amdgpu_waves_per_eu(W)`: W counts waves per
SIMD, not groups. Without bounds HIP compiles for groups of 1024 threads, OpenCL for 256.
"""

from __future__ import annotations

from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.vendors.amd.compiler import as_compiled
from occupancy_lsp.vendors.amd.hardware import AmdHardware
from occupancy_lsp.vendors.amd.registers import vector_rows
from occupancy_lsp.vendors.amd.rule import Unit, unit_of


def register_ceiling(
    arch: AmdHardware,
    max_threads: int,
    waves_per_eu: int | None = None,
    sub_group: int | None = None,
    mode: str | None = None,
    *,
    min_threads: int = 1,
    local: int = 0,
) -> int:
    """The most vector registers per thread that LLVM gives a kernel so annotated: a ceiling, not a count.

    On gfx90a and later accumulation registers are part of it. `waves_per_eu` None or 0: not said. What LLVM ignores is
    ignored here: see `waves_honoured`. ValueError: no such waves, or mode.
    """
    unit = unit_of(arch, Need(1, sub_group=sub_group, mode=mode))
    if not 0 < max_threads <= arch.max_group_size:
        return arch.max_registers
    waves = waves_of_one_group(arch, max_threads, sub_group, mode)
    if waves_per_eu and waves_honoured(
        arch, max_threads, waves_per_eu, sub_group, mode, min_threads=min_threads, local=local
    ):
        waves = waves_per_eu
    granule = max(arch.register_unit * arch.sub_group_size // unit.wave, 1)
    return min(vector_rows(arch, unit.wave) // waves // granule * granule, arch.max_registers)


def waves_honoured(
    arch: AmdHardware,
    max_threads: int,
    waves_per_eu: int,
    sub_group: int | None = None,
    mode: str | None = None,
    *,
    min_threads: int = 1,
    local: int = 0,
) -> bool:
    """Whether LLVM heeds `waves_per_eu` waves per SIMD for groups of `min_threads` to `max_threads`.

    Not fewer than one group needs, nor more than groups of such sizes with `local` static bytes can come to. So does
    LLVM 22; LLVM 14 counts neither the bytes nor the least size, and gives fewer registers.
    """
    unit = unit_of(arch, Need(1, sub_group=sub_group, mode=mode))
    least = waves_of_one_group(arch, max_threads, sub_group, mode)
    return least <= waves_per_eu <= _most_waves(as_compiled(arch), unit, min_threads, max_threads, local)


def _most_waves(arch: AmdHardware, unit: Unit, low: int, high: int, local: int) -> int:
    """Waves per SIMD that LLVM takes to be the most, for groups of `low` to `high` threads: a heuristic of its own."""
    slots = arch.waves_per_simd * unit.simds
    room = arch.local_per_cu * unit.cus // round_up(local, arch.local_unit) if local else slots
    if not room:
        return 1

    def groups(waves: int) -> int:
        held = slots if waves == 1 else min(slots // waves, arch.groups_per_cu * unit.cus)
        return max(min(held, room), 1)

    small, large = unit.waves(low), unit.waves(high)
    found = small * groups(small)
    if large * groups(large) >= found:
        found = large * groups(large)
    else:
        spare = (slots - found) // groups(small)
        found += groups(small) * min(spare, large - small)
    return -(-found // unit.simds)


def waves_of_one_group(
    arch: AmdHardware, max_threads: int, sub_group: int | None = None, mode: str | None = None
) -> int:
    """Waves that the fullest SIMD has of one group alone: as many must fit, whatever is asked for."""
    return waves_of_groups(arch, max_threads, 1, sub_group, mode)


def waves_of_groups(
    arch: AmdHardware, max_threads: int, groups: int, sub_group: int | None = None, mode: str | None = None
) -> int:
    """Waves per SIMD, at least, with so many groups on a CU (WGP mode: on a WGP): CUDA's second number as HIP's."""
    unit = unit_of(arch, Need(1, sub_group=sub_group, mode=mode))
    return -(-groups * unit.waves(max_threads) // unit.simds)


def groups_of_waves(
    arch: AmdHardware, max_threads: int, waves: int, sub_group: int | None = None, mode: str | None = None
) -> int:
    """Whole groups that so many waves per SIMD make on a CU (WGP mode: on a WGP)."""
    unit = unit_of(arch, Need(1, sub_group=sub_group, mode=mode))
    return waves * unit.simds // unit.waves(max_threads)
