"""The occupancy of a compute kernel on an Apple GPU core, M1 and M2; of later families only the limits are known.

Source of the rules: Asahi's compiler (Mesa, agx_occupancy_for_register_count) for the threads of one threadgroup by
16-bit registers, which equal 64 * floor(106496 / registers rounded up to 8 / 64); a core's threads and threadgroup
memory are measurements (metal-benchmarks). That the same file serves several threadgroups is our reading: an estimate.
From M3 on registers are given out while the kernel runs: they set no static limit, and the figure is an upper bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.model.settle import groups_by_local, refuse_other_widths, settle

if TYPE_CHECKING:
    from occupancy_lsp.vendors.apple.arch import AppleArch


def occupancy(arch: AppleArch, need: Need) -> Occupancy:
    """What one core holds of threadgroups that each ask for `need`. ValueError: no kernel can ask for that."""
    refuse_other_widths(need, (arch.sub_group_size,), arch.id)
    per_group = -(-need.group_size // arch.sub_group_size)
    local = need.static_local + need.dynamic_local
    threads = register_threads(arch, need.registers) if need.registers else None
    limits = Limits(
        sub_groups=arch.max_sub_groups // per_group if need.group_size <= arch.max_group_size else 0,
        groups=None,
        registers=None if threads is None else threads // (per_group * arch.sub_group_size),
        local_memory=groups_by_local(arch, local),
        barriers=None,
    )

    def fault() -> Fault:
        if limits.sub_groups == 0:
            return Fault("group_size", need.group_size, arch.max_group_size)
        if threads == 0:
            return Fault("registers_per_thread", need.registers or 0, arch.max_registers)
        if limits.registers == 0:
            each = round_up(need.registers or 0, arch.register_unit)
            return Fault("registers", each * per_group * arch.sub_group_size, each * (threads or 0))
        return Fault("local_memory", local, arch.local_per_group)

    return settle(limits, per_group, arch.max_sub_groups, fault)


def register_threads(arch: AppleArch, registers: int) -> int | None:
    """Threads per core by 16-bit registers per thread alone; None: they set no limit."""
    if registers > arch.max_registers:
        return 0
    if arch.register_halves is None:
        return None
    threads = arch.register_halves // round_up(registers, arch.register_unit)
    return min(threads // arch.thread_unit * arch.thread_unit, arch.max_threads)
