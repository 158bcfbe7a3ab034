"""The notebook's occupancy of a generic compute unit, to the digit; its devices are named "generic-…".

Source of the rule: the "Occupancy calculator" notebook. It is a simplification, kept as it stands: see the
vendors' own presets for what their hardware does. Where the notebook divides by zero (no local memory, no registers)
the resource sets no limit here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy, refuse_nonsense
from occupancy_lsp.model.settle import settle

if TYPE_CHECKING:
    from occupancy_lsp.vendors.generic.arch import GenericArch


def occupancy(arch: GenericArch, need: Need) -> Occupancy:
    """What one compute unit holds of work-groups that each ask for `need`. ValueError: no kernel can ask for that."""
    refuse_nonsense(need)
    width = need.sub_group or arch.sub_group_size
    per_group = -(-need.group_size // width)
    local, registers = need.static_local + need.dynamic_local, register_bytes(need)
    limits = Limits(
        sub_groups=arch.max_sub_groups // per_group,
        groups=arch.max_groups,
        registers=_register_limit(arch, need.group_size, width, registers) if registers else None,
        local_memory=arch.local_per_unit // local if local else None,
        barriers=None,
    )

    def fault() -> Fault:
        """The first reason, in the order in which a person would mend them."""
        if limits.sub_groups == 0:
            return Fault("group_size", need.group_size, arch.max_sub_groups * width)
        if registers and registers > _bytes_per_thread(arch, width):
            return Fault("registers_per_thread", -(-registers // 4), _bytes_per_thread(arch, width) // 4)
        if limits.registers == 0:
            return Fault("registers", -(-registers * need.group_size // 4), arch.register_bytes_per_unit // 4)
        return Fault("local_memory", local, arch.local_per_unit)

    return settle(limits, per_group, arch.max_sub_groups, fault)


def register_bytes(need: Need) -> int:
    """Bytes of registers per thread; a register has 4. 0: not known, or none."""
    return need.registers * 4 if need.registers is not None else need.register_bytes or 0


def _bytes_per_thread(arch: GenericArch, width: int) -> int:
    return -(-arch.register_bytes_per_sub_group // width)


def _register_limit(arch: GenericArch, threads: int, width: int, registers: int) -> int:
    """Work-groups whose registers one unit holds; 0 where a thread asks for more than its share of a sub-group's."""
    if registers > _bytes_per_thread(arch, width):
        return 0
    return arch.register_bytes_per_unit // (registers * threads)
