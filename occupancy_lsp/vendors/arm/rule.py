"""The occupancy of a compute kernel on an Arm Mali shader core.

Source of the rules: Arm's GPU datasheet (threads per core, warp width); register classes from Mesa
(pan_compute_max_thread_count), equal to the "thread_occupancy" that Arm's offline compiler prints for them. Local
memory is ordinary cached memory and no limit on residency. Arm may split a work-group over cores where it has neither
barriers nor local memory; whole work-groups are counted here, which is then a lower bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy
from occupancy_lsp.model.settle import refuse_other_widths, settle

if TYPE_CHECKING:
    from occupancy_lsp.vendors.arm.arch import MaliArch


def occupancy(arch: MaliArch, need: Need) -> Occupancy:
    """What one shader core holds of work-groups that each ask for `need`. ValueError: no kernel can ask for that."""
    refuse_other_widths(need, (arch.sub_group_size,), arch.id)
    per_group = -(-need.group_size // arch.sub_group_size)
    local = need.static_local + need.dynamic_local
    warps = register_warps(arch, need.registers) if need.registers else None
    limits = Limits(
        sub_groups=arch.max_sub_groups // per_group if need.group_size <= arch.max_group_size else 0,
        groups=None,
        registers=None if warps is None else warps // per_group,
        local_memory=0 if local > arch.local_per_group else None,
        barriers=None,
    )

    def fault() -> Fault:
        if limits.sub_groups == 0:
            return Fault("group_size", need.group_size, arch.max_group_size)
        if warps == 0:
            return Fault("registers_per_thread", need.registers or 0, arch.max_registers)
        if limits.registers == 0:
            return Fault("registers", *_file(arch, need))
        return Fault("local_memory", local, arch.local_per_group)

    return settle(limits, per_group, arch.max_sub_groups, fault)


def register_warps(arch: MaliArch, registers: int) -> int:
    """Warps per core by registers per thread alone, what the offline compiler gives as a percentage of all."""
    for halvings, most in enumerate(arch.register_classes):
        if registers <= most:
            return arch.max_sub_groups >> halvings
    return 0


def _file(arch: MaliArch, need: Need) -> tuple[int, int]:
    """Registers that the work-group takes as its class allocates them, and the core's."""
    allocated = next(most for most in arch.register_classes if (need.registers or 0) <= most)
    return need.group_size * allocated, arch.max_threads * arch.register_classes[0]
