"""The registers that the hardware sets aside for those that a kernel asks for: rounded up, the driver's added."""

from __future__ import annotations

from dataclasses import dataclass

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.amd.registers import (
    accumulators_start,
    scalar_allocation,
    vector_allocation,
    vector_registers,
)
from occupancy_lsp.vendors.amd.rule import unit_of
from occupancy_lsp.vendors.intel.arch import IntelArch
from occupancy_lsp.vendors.mobile_arch import AppleArch, MaliArch
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from occupancy_lsp.vendors.nvidia.registers import block_registers, warp_registers


@dataclass(frozen=True, slots=True)
class Allocation:
    """Registers as the architecture counts them."""

    registers: int
    of: str = "thread"  # "thread" | "hardware thread" | "group"
    accumulators: int | None = None  # AMD, of one file with the others: those among `registers`


def allocated(arch: Architecture, need: Need) -> Allocation | None:
    """What `need` is given. None: no count, more than a thread can have, or not known how it is rounded."""
    if isinstance(arch, AmdArch):
        return _amd(arch, need)
    if isinstance(arch, IntelArch):
        mode = arch.grf_mode(need.grf)
        return Allocation(mode[0], "hardware thread") if mode else None
    if not need.registers or need.registers > arch.max_registers:
        return None
    if isinstance(arch, NvidiaArch):
        if arch.register_allocation == "block":
            warps = -(-need.group_size // arch.sub_group_size)
            return Allocation(block_registers(arch, warps, need.registers), "group")
        return Allocation(warp_registers(arch, need.registers) // arch.sub_group_size)
    if isinstance(arch, MaliArch):
        return Allocation(next(most for most in arch.register_classes if need.registers <= most))
    if isinstance(arch, AppleArch) and arch.register_halves is not None:
        return Allocation(round_up(need.registers, arch.register_unit))
    return None


def _amd(arch: AmdArch, need: Need) -> Allocation | None:
    asked = vector_registers(arch, need)
    if need.registers is None or asked is None or asked > arch.max_registers:
        return None
    taken = vector_allocation(arch, unit_of(arch, need).wave, asked)
    if arch.accumulation != "unified":
        return Allocation(taken)
    # What is left of the last unit counts as accumulation registers, as profilers show it.
    return Allocation(taken, accumulators=taken - accumulators_start(need.registers))


def allocated_scalars(arch: Architecture, need: Need) -> tuple[int, int] | None:
    """Scalar registers of a wave, and those of them that the trap handler has; None where they limit nothing."""
    if not isinstance(arch, AmdArch) or (taken := scalar_allocation(arch, need)) is None:
        return None
    return taken, arch.scalar_reserve
