"""What LLVM prints as "Occupancy": waves per SIMD, each limiter alone. Exact for LLVM 16 to 24.

It is no occupancy: registers are never rounded to whole groups, work-groups are rounded up, nothing falls below 1.
LLVM reckons with Polaris' 10 slots, half of gfx6's LDS, and 512-byte units of LDS where RDNA 2 and later take 1024.
"""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.model.occupancy import Need, refuse_nonsense
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.vendors.amd.hardware import AmdHardware
from occupancy_lsp.vendors.amd.registers import scalar_allocation, vector_registers, vector_waves
from occupancy_lsp.vendors.amd.rule import Unit, unit_of

NEWEST = 24  # the first to round LDS up and to add the trap handler's scalar registers
# Until then: the most scalar registers of a wave with which 10, 9, 8 … waves fit, by registers per SIMD.
_STAIRCASES = {512: (48, 56, 64, 72, 80), 800: (80, 88, 100)}


def as_compiled(arch: AmdHardware) -> AmdHardware:
    """`arch` as LLVM takes it to be."""
    return replace(
        arch,
        waves_per_simd=arch.compiler_waves_per_simd or arch.waves_per_simd,
        local_per_cu=arch.compiler_local_per_cu or arch.local_per_cu,
        local_unit=arch.compiler_local_unit or arch.local_unit,
    )


def per_limiter(arch: AmdHardware, need: Need, llvm: int = NEWEST) -> dict[str, int] | None:
    """Waves per SIMD by limiter; their least is what LLVM prints. "groups" are work-groups and slots alone,
    "local_memory" those with LDS. None: LLVM prints nothing for the architecture."""
    if arch.vliw:
        return None
    refuse_nonsense(need)
    arch, unit = as_compiled(arch), unit_of(arch, need)
    slots = arch.waves_per_simd
    registers = vector_registers(arch, need)
    figures = {
        "groups": _group_waves(arch, replace(need, static_local=0, dynamic_local=0), unit, llvm),
        "registers": slots if registers is None else vector_waves(arch, unit.wave, registers),
        "local_memory": _group_waves(arch, need, unit, llvm),
    }
    scalars = _scalar_waves(arch, need, llvm)
    if scalars is not None:
        figures["scalars"] = scalars
    return {name: min(max(waves, 1), slots) for name, waves in figures.items()}


def _group_waves(arch: AmdHardware, need: Need, unit: Unit, llvm: int) -> int:
    """LLVM's getOccupancyWithWorkGroupSizes for one exact size."""
    waves, slots = unit.waves(need.group_size), arch.waves_per_simd * unit.simds
    groups = slots if waves == 1 else min(slots // waves, arch.groups_per_cu * unit.cus)
    asked = need.static_local + need.dynamic_local
    if asked:
        groups = min(groups, arch.local_per_cu * unit.cus // round_up(asked, arch.local_unit if llvm >= NEWEST else 1))
    return -(-groups * waves // unit.simds)


def _scalar_waves(arch: AmdHardware, need: Need, llvm: int) -> int | None:
    allocated = scalar_allocation(arch, need)
    if allocated is None or arch.scalars_per_simd is None:
        return None
    if llvm >= NEWEST:
        return arch.scalars_per_simd // allocated
    used = need.scalars if arch.scalars_fixed is None else arch.scalars_fixed
    return 10 - sum(most < (used or 0) for most in _STAIRCASES[arch.scalars_per_simd])
