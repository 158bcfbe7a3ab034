"""The registers that AMD's hardware sets aside for those that a kernel asks for."""

from __future__ import annotations

from occupancy_lsp.model.allocation import Allocation
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.amd.hardware import AmdHardware
from occupancy_lsp.vendors.amd.registers import (
    accumulators_start,
    scalar_allocation,
    vector_allocation,
    vector_registers,
)
from occupancy_lsp.vendors.amd.rule import unit_of


def allocated(arch: AmdHardware, need: Need) -> Allocation | None:
    """See `Architecture.allocated`."""
    asked = vector_registers(arch, need)
    if need.registers is None or asked is None or asked > arch.max_registers:
        return None
    taken = vector_allocation(arch, unit_of(arch, need).wave, asked)
    if arch.accumulation != "unified":
        return Allocation(taken)
    # What is left of the last unit counts as accumulation registers, as profilers show it.
    return Allocation(taken, accumulators=taken - accumulators_start(need.registers))


def allocated_scalars(arch: AmdHardware, need: Need) -> tuple[int, int] | None:
    """See `Architecture.allocated_scalars`."""
    taken = scalar_allocation(arch, need)
    return None if taken is None else (taken, arch.scalar_reserve)
