"""Waves that the register files of one AMD SIMD hold. Sources: LLVM's AMDGPUBaseInfo, `facts/amd.md` §3."""

from __future__ import annotations

from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.vendors.amd.hardware import AmdHardware

_TUPLE = 4  # accumulation registers of a unified file start at a multiple of it


def vector_registers(arch: AmdHardware, need: Need) -> int | None:
    """Registers per thread of the file that decides, accumulation registers included; None: not known or none."""
    own, more = need.registers or 0, need.accumulators
    if arch.accumulation == "unified" and more:
        # A kernel whose count is not known has at least one.
        own = accumulators_start(1 if need.registers is None else own) + more
    elif arch.accumulation == "separate":
        own = max(own, more)
    return own or None


def accumulators_start(registers: int) -> int:
    """Where, in a unified file, the accumulation registers of a thread begin: behind its other ones."""
    return round_up(registers, _TUPLE)


def vector_allocation(arch: AmdHardware, wave: int, registers: int) -> int:
    """Rows, of `wave` lanes, that `registers` per thread take. Narrow rows come in larger units: 24 of 32 lanes are
    12 of 64."""
    return round_up(registers, max(arch.register_unit * arch.sub_group_size // wave, 1))


def vector_rows(arch: AmdHardware, wave: int) -> int:
    """Rows of `wave` lanes that a SIMD has."""
    return arch.registers_per_simd * arch.sub_group_size // wave


def vector_waves(arch: AmdHardware, wave: int, registers: int) -> int:
    """Waves per SIMD by vector registers alone, not cut to the slots."""
    return vector_rows(arch, wave) // vector_allocation(arch, wave, registers)


def scalar_allocation(arch: AmdHardware, need: Need) -> int | None:
    """Scalar registers that a wave takes, the trap handler's included; None: they are not known, or limit nothing.

    AMD measured the reserve on MI300X: 92 are counted as 96 + 16, and 7 waves fit, not 8 (rocm-systems PR 10618).
    """
    used = need.scalars if arch.scalars_fixed is None else arch.scalars_fixed
    if arch.scalars_per_simd is None or used is None:
        return None
    return max(round_up(used, arch.scalar_unit) + arch.scalar_reserve, 1)
