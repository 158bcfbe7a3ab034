"""Apple's GPUs as data: what one GPU core holds."""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.allocation import Allocation
from occupancy_lsp.model.architecture import Uncounted
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.model.traits import Traits
from occupancy_lsp.vendors.apple import rule

_NOUNS = Nouns("threadgroup", "threadgroups", "SIMD-group", "SIMD-groups", "core", "threadgroup memory", "tgmem", "TG")

_TRAITS = Traits(counts_registers=False)


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
        return _TRAITS

    @property
    def nouns(self) -> Nouns:
        return _NOUNS

    def occupancy(self, need: Need) -> Occupancy:
        return rule.occupancy(self, need)

    def allocated(self, need: Need) -> Allocation | None:
        if not need.registers or need.registers > self.max_registers or self.register_halves is None:
            return None
        return Allocation(round_up(need.registers, self.register_unit))
