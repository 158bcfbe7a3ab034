"""The occupancy of a kernel on an AMD CU or WGP, HD 5000 to gfx1250, by whole work-groups.

Compilers print waves per SIMD instead, limiter by limiter and never rounded to whole groups: `compiler.py`.
Sources: Radeon Compute Profiler's pages for VLIW and GCN, LLVM and Mesa's ACO for the rest.
"""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy, refuse_nonsense
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.model.settle import settle
from occupancy_lsp.vendors.amd.hardware import AmdHardware
from occupancy_lsp.vendors.amd.registers import (
    scalar_allocation,
    vector_allocation,
    vector_registers,
    vector_rows,
    vector_waves,
)


@dataclass(frozen=True, slots=True)
class Unit:
    """What a group is placed on: one CU, or the two of a WGP; and in waves of how many threads."""

    wave: int
    cus: int
    simds: int

    def waves(self, threads: int) -> int:
        return -(-threads // self.wave)


def unit_of(arch: AmdHardware, need: Need) -> Unit:
    """ValueError: the architecture has no such waves, or no such mode."""
    wave, mode = need.sub_group or arch.sub_group_size, need.mode or arch.modes[0]
    if wave not in arch.sub_group_sizes:
        allowed = " or ".join(map(str, arch.sub_group_sizes))
        raise ValueError(f"a wave of {arch.id} has {allowed} threads, not {wave}")
    if mode not in arch.modes:
        raise ValueError(f"{arch.id} has no {mode.upper()} mode")
    cus = 2 if mode == "wgp" else 1
    return Unit(wave, cus, arch.simds_per_cu * cus)


def occupancy(arch: AmdHardware, need: Need) -> Occupancy:
    """What one CU, or WGP in WGP mode, holds of groups that each ask for `need`. ValueError: impossible need."""
    refuse_nonsense(need)
    unit = unit_of(arch, need)
    waves = unit.waves(need.group_size)
    slots = arch.waves_per_simd * unit.simds
    result = settle(_limits(arch, need, unit, waves), waves, slots, lambda: _fault(arch, need, unit, waves))
    return replace(result, compute_units=unit.cus)


def _limits(arch: AmdHardware, need: Need, unit: Unit, waves: int) -> Limits:
    """Groups that each resource holds. Waves are counted by SIMD, where they cannot straddle; groups over them all."""
    capped = arch.groups_per_cu * unit.cus
    several = waves > 1
    return Limits(
        sub_groups=arch.waves_per_simd * unit.simds // waves if need.group_size <= arch.max_group_size else 0,
        groups=capped if several or arch.vliw else None,
        registers=_vector_limit(arch, need, unit, waves),
        local_memory=_local_limit(arch, need, unit),
        barriers=capped // need.barriers if need.barriers and several else None,
        scalars=_scalar_limit(arch, need, unit, waves),
    )


def _vector_limit(arch: AmdHardware, need: Need, unit: Unit, waves: int) -> int | None:
    registers = vector_registers(arch, need)
    if registers is None:
        return None
    return vector_waves(arch, unit.wave, registers) * unit.simds // waves if registers <= arch.max_registers else 0


def _scalar_limit(arch: AmdHardware, need: Need, unit: Unit, waves: int) -> int | None:
    allocated = scalar_allocation(arch, need)
    return None if allocated is None else (arch.scalars_per_simd or 0) // allocated * unit.simds // waves


def _local_limit(arch: AmdHardware, need: Need, unit: Unit) -> int | None:
    asked = need.static_local + need.dynamic_local
    if not asked:
        return None
    # Even in WGP mode one group never gets more than a CU's share.
    return arch.local_per_cu * unit.cus // round_up(asked, arch.local_unit) if asked <= arch.local_per_group else 0


def _fault(arch: AmdHardware, need: Need, unit: Unit, waves: int) -> Fault:
    """The first reason, in the order in which a person would mend them, that not even one group fits."""
    if need.group_size > arch.max_group_size:
        return Fault("group_size", need.group_size, arch.max_group_size)
    registers, scalars = vector_registers(arch, need) or 0, scalar_allocation(arch, need) or 0
    if registers > arch.max_registers:
        return Fault("registers_per_thread", registers, arch.max_registers)
    spread = round_up(waves, unit.simds)  # as many on every SIMD as on the fullest
    if registers and _vector_limit(arch, need, unit, waves) == 0:
        needs = spread * vector_allocation(arch, unit.wave, registers) * unit.wave
        return Fault("registers", needs, vector_rows(arch, unit.wave) * unit.simds * unit.wave)
    if _scalar_limit(arch, need, unit, waves) == 0:
        return Fault("scalars", spread * scalars, (arch.scalars_per_simd or 0) * unit.simds)
    if _local_limit(arch, need, unit) == 0:
        return Fault("local_memory", need.static_local + need.dynamic_local, arch.local_per_group)
    return Fault("barriers", need.barriers, arch.groups_per_cu * unit.cus)
