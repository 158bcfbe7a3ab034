"""The occupancy of a kernel on an NVIDIA SM, cc 1.0 to 12.1: each resource's limit, their least, and why none fits.

Sources: CUDA's cuda_occupancy.h from cc 3.0 on, NVIDIA's occupancy spreadsheet before it.
"""

from __future__ import annotations

from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy, refuse_nonsense
from occupancy_lsp.model.settle import settle
from occupancy_lsp.vendors.nvidia.hardware import NvidiaHardware
from occupancy_lsp.vendors.nvidia.local import local_allows, local_limit
from occupancy_lsp.vendors.nvidia.registers import block_registers, register_limit


def occupancy(arch: NvidiaHardware, need: Need) -> Occupancy:
    """What one SM holds of blocks that each ask for `need`. ValueError: no kernel can ask for that."""
    refuse_nonsense(need)
    warps = -(-need.group_size // arch.sub_group_size)
    return settle(_limits(arch, need, warps), warps, arch.max_sub_groups, lambda: _fault(arch, need, warps))


def _limits(arch: NvidiaHardware, need: Need, warps: int) -> Limits:
    barriers = None
    if need.barriers and arch.barriers_per_unit is not None and arch.generation >= 9:
        barriers = arch.barriers_per_unit // need.barriers
    return Limits(
        sub_groups=arch.max_sub_groups // warps if need.group_size <= arch.max_group_size else 0,
        groups=arch.max_groups,
        registers=register_limit(arch, warps, need.registers) if need.registers else None,
        local_memory=local_limit(arch, need),
        barriers=barriers,
        tensor_memory=_tensor_limit(arch, need),
    )


def _tensor_limit(arch: NvidiaHardware, need: Need) -> int | None:
    """PTX ISA, tcgen05.alloc: it blocks until as many columns are free. None: it takes none, or more than there are."""
    there = arch.tensor_columns or 0
    return there // need.tensor_columns if 0 < need.tensor_columns <= there else None


def _fault(arch: NvidiaHardware, need: Need, warps: int) -> Fault:
    """The first reason, in the order in which a person would mend them, that not even one block fits."""
    registers = need.registers or 0
    if need.group_size > arch.max_group_size:
        return Fault("group_size", need.group_size, arch.max_group_size)
    if registers > arch.max_registers:
        return Fault("registers_per_thread", registers, arch.max_registers)
    asked = need.static_local + need.dynamic_local
    allowed = local_allows(arch, need.opt_in)
    if registers and register_limit(arch, warps, registers) == 0:
        # Where the plain product fits, what does not fit is the allocation, rounded up as the hardware does.
        product = need.group_size * registers
        counted = product if product > arch.registers_per_group else block_registers(arch, warps, registers)
        return Fault("registers", counted, arch.registers_per_group)
    if asked > allowed:
        return Fault("local_memory", asked, allowed)
    return Fault("barriers", need.barriers, arch.barriers_per_unit or 0)
