"""How NVIDIA's SMs allocate registers, cc 1.0 to 12.1.

Sources: cc 3.0 on, CUDA's cuda_occupancy.h; cc 1.x and 2.x, NVIDIA's occupancy spreadsheet.
"""

from __future__ import annotations

from occupancy_lsp.model.allocation import Allocation
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.vendors.nvidia.hardware import NvidiaHardware

# The counts for which a cc 2.x warp is given units of 128 registers, not 64.
_COARSE_ON_FERMI = frozenset({21, 22, 29, 30, 37, 38, 45, 46})


def register_limit(arch: NvidiaHardware, warps: int, registers: int) -> int:
    """Blocks of `warps` warps per SM that `registers` (> 0) per thread allow; 0: such a block cannot be launched."""
    if registers > arch.max_registers:
        return 0
    if arch.register_allocation == "block":
        return arch.registers_per_unit // block_registers(arch, warps, registers)
    if block_registers(arch, warps, registers) > arch.registers_per_group:
        return 0
    per_warp = warp_registers(arch, registers)
    # A warp lives in one sub-partition: what is left over in two of them does not add up to a warp.
    warps_per_partition = arch.registers_per_unit // arch.sub_partitions // per_warp
    return warps_per_partition * arch.sub_partitions // warps


def allocated(arch: NvidiaHardware, need: Need) -> Allocation | None:
    """See `Architecture.allocated`."""
    if not need.registers or need.registers > arch.max_registers:
        return None
    if arch.register_allocation == "block":
        warps = -(-need.group_size // arch.sub_group_size)
        return Allocation(block_registers(arch, warps, need.registers), "group")
    return Allocation(warp_registers(arch, need.registers) // arch.sub_group_size)


def block_registers(arch: NvidiaHardware, warps: int, registers: int) -> int:
    """Registers that must be free for one block: the launch check counts as if every sub-partition took part."""
    if arch.register_allocation == "block":
        threads = round_up(warps, arch.sub_partitions) * arch.sub_group_size
        return round_up(threads * registers, arch.register_unit)
    return warp_registers(arch, registers) * round_up(warps, _checked_partitions(arch))


def warp_registers(arch: NvidiaHardware, registers: int) -> int:
    """Registers that a warp takes where each has its own; `registers` per thread."""
    unit = arch.register_unit
    if arch.generation == 2 and registers in _COARSE_ON_FERMI:
        unit *= 2
    return round_up(registers * arch.sub_group_size, unit)


def _checked_partitions(arch: NvidiaHardware) -> int:
    # GP100 has two sub-partitions, yet refuses what the rest of its family, which has four, would refuse.
    return 4 if arch.generation == 6 else arch.sub_partitions
