"""Arm's Mali GPUs as data: what one shader core holds."""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.allocation import Allocation
from occupancy_lsp.model.architecture import Uncounted
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.traits import Traits
from occupancy_lsp.vendors.arm import rule

_NOUNS = Nouns("work-group", "work-groups", "warp", "warps", "core", "local memory", "local", "WG")

_TRAITS = Traits(starts_in_parts=True)


@dataclass(frozen=True, slots=True)
class MaliArch(Uncounted):
    """One Mali generation; "unit" means shader core. Local memory is ordinary cached memory: no limit but per group."""

    id: str  # "mali-g52"
    vendor: str  # "arm"
    sub_group_size: int  # threads per warp; 1 where threads run alone (Midgard)
    max_group_size: int  # threads
    max_threads: int  # per core, with the fewest registers
    register_classes: tuple[int, ...]  # most registers per thread with all, half, a quarter of max_threads
    register_bits: int  # 32, or 128 where registers are counted as vec4 (Midgard)
    local_per_group: int

    @property
    def max_sub_groups(self) -> int:
        return max(self.max_threads // self.sub_group_size, 1)

    @property
    def max_groups(self) -> int:
        """No limit is known but that each has a sub-group."""
        return self.max_sub_groups

    @property
    def max_registers(self) -> int:
        return self.register_classes[-1]

    @property
    def local_per_unit(self) -> int:
        """Not limited by the core; this much is certain."""
        return self.local_per_group

    @property
    def local_unit(self) -> int:
        return 1

    @property
    def traits(self) -> Traits:
        return _TRAITS

    @property
    def private_bytes(self) -> int:
        return self.max_registers * self.register_bits // 8

    @property
    def nouns(self) -> Nouns:
        return _NOUNS

    def occupancy(self, need: Need) -> Occupancy:
        return rule.occupancy(self, need)

    def allocated(self, need: Need) -> Allocation | None:
        if not need.registers or need.registers > self.max_registers:
            return None
        return Allocation(next(most for most in self.register_classes if need.registers <= most))
