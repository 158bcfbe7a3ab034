"""Apple's GPUs, and the occupancy of a compute kernel on one core: M1 and M2; of later ones only the limits are known.

Source of the rules: Asahi's compiler (Mesa, agx_occupancy_for_register_count) for the threads of one threadgroup by
16-bit registers, which equal 64 * floor(106496 / registers rounded up to 8 / 64); a core's threads and threadgroup
memory are measurements (metal-benchmarks). That the same file serves several threadgroups is our reading: an estimate.
From M3 on registers are given out while the kernel runs: they set no static limit, and the figure is an upper bound.
"""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.allocation import Allocation
from occupancy_lsp.model.architecture import Uncounted
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.model.settle import groups_by_local, refuse_other_widths, settle
from occupancy_lsp.model.traits import USUAL, Traits

_NOUNS = Nouns("threadgroup", "threadgroups", "SIMD-group", "SIMD-groups", "core", "threadgroup memory", "tgmem", "TG")

_OF_LATER = Traits(counts_registers=False)


@dataclass(frozen=True, slots=True)
class AppleArch(Uncounted):
    """One Apple GPU family; "unit" means GPU core. Registers are counted as 16-bit halves, as Asahi's compiler does."""

    id: str  # "apple-g13"
    vendor: str  # "apple"
    sub_group_size: int  # threads per SIMD-group
    max_group_size: int  # threads per threadgroup
    max_threads: int  # per core
    register_halves: int | None  # 16-bit registers of a core's file; None: given out at run time, no static limit
    register_unit: int  # 16-bit registers per thread are rounded up to this
    thread_unit: int  # resident threads are rounded down to this
    max_registers: int  # 16-bit, per thread
    local_per_unit: int
    local_per_group: int
    local_unit: int

    @property
    def max_sub_groups(self) -> int:
        return max(self.max_threads // self.sub_group_size, 1)

    @property
    def max_groups(self) -> int:
        """No limit is known but that each has a SIMD-group."""
        return self.max_sub_groups

    @property
    def traits(self) -> Traits:
        return USUAL if self.register_halves is not None else _OF_LATER

    @property
    def nouns(self) -> Nouns:
        return _NOUNS

    def occupancy(self, need: Need) -> Occupancy:
        """What one core holds of threadgroups that each ask for `need`. ValueError: no kernel can ask for that."""
        refuse_other_widths(need, (self.sub_group_size,), self.id)
        per_group = -(-need.group_size // self.sub_group_size)
        local = need.static_local + need.dynamic_local
        threads = register_threads(self, need.registers) if need.registers else None
        limits = Limits(
            sub_groups=self.max_sub_groups // per_group if need.group_size <= self.max_group_size else 0,
            groups=None,
            registers=None if threads is None else threads // (per_group * self.sub_group_size),
            local_memory=groups_by_local(self, local),
            barriers=None,
        )

        def fault() -> Fault:
            if limits.sub_groups == 0:
                return Fault("group_size", need.group_size, self.max_group_size)
            if threads == 0:
                return Fault("registers_per_thread", need.registers or 0, self.max_registers)
            if limits.registers == 0:
                each = round_up(need.registers or 0, self.register_unit)
                return Fault("registers", each * per_group * self.sub_group_size, each * (threads or 0))
            return Fault("local_memory", local, self.local_per_group)

        return settle(limits, per_group, self.max_sub_groups, fault)

    def allocated(self, need: Need) -> Allocation | None:
        if not need.registers or need.registers > self.max_registers or self.register_halves is None:
            return None
        return Allocation(round_up(need.registers, self.register_unit))


def register_threads(arch: AppleArch, registers: int) -> int | None:
    """Threads per core by 16-bit registers per thread alone; None: they set no limit."""
    if registers > arch.max_registers:
        return 0
    if arch.register_halves is None:
        return None
    threads = arch.register_halves // round_up(registers, arch.register_unit)
    return min(threads // arch.thread_unit * arch.thread_unit, arch.max_threads)
