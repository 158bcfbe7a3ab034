"""The occupancy of a compute kernel on a shader cluster (USC) of an Imagination Rogue core: an estimate.

Source of the numbers: Mesa's pvr driver (slots, instances per task, temporaries, common store). That slots shrink in
proportion to the temporaries beyond `full_registers` is our reading of a file shared by all slots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy
from occupancy_lsp.model.settle import groups_by_local, refuse_other_widths, settle

if TYPE_CHECKING:
    from occupancy_lsp.vendors.imagination.arch import ImaginationArch


def occupancy(arch: ImaginationArch, need: Need) -> Occupancy:
    """What one USC holds of work-groups that each ask for `need`. ValueError: no kernel can ask for that."""
    refuse_other_widths(need, (arch.sub_group_size,), arch.id)
    per_group = -(-need.group_size // arch.sub_group_size)
    local = need.static_local + need.dynamic_local
    slots = _slots(arch, need.registers) if need.registers else None
    limits = Limits(
        sub_groups=arch.max_sub_groups // per_group if need.group_size <= arch.max_group_size else 0,
        groups=None,
        registers=None if slots is None else slots // per_group,
        local_memory=groups_by_local(arch, local),
        barriers=None,
    )

    def fault() -> Fault:
        if limits.sub_groups == 0:
            return Fault("group_size", need.group_size, arch.max_group_size)
        if slots == 0:
            return Fault("registers_per_thread", need.registers or 0, arch.max_registers)
        if limits.registers == 0:
            asked = (need.registers or 0) * per_group * arch.sub_group_size
            return Fault("registers", asked, arch.max_sub_groups * arch.full_registers * arch.sub_group_size)
        return Fault("local_memory", local, arch.local_per_group)

    return settle(limits, per_group, arch.max_sub_groups, fault)


def _slots(arch: ImaginationArch, registers: int) -> int:
    if registers > arch.max_registers:
        return 0
    return arch.max_sub_groups * arch.full_registers // max(registers, arch.full_registers)
