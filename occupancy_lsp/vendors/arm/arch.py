"""Arm's Mali GPUs, and the occupancy of a compute kernel on one shader core.

Source of the rules: Arm's GPU datasheet (threads per core, warp width); register classes from Mesa
(pan_compute_max_thread_count), equal to the "thread_occupancy" that Arm's offline compiler prints for them. Local
memory is ordinary cached memory and no limit on residency. Arm may split a work-group over cores where it has neither
barriers nor local memory; whole work-groups are counted here, which is then a lower bound.
"""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.allocation import Allocation
from occupancy_lsp.model.architecture import Uncounted
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy
from occupancy_lsp.model.settle import refuse_other_widths, settle
from occupancy_lsp.model.traits import Traits

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
        """What one core holds of work-groups that each ask for `need`. ValueError: no kernel can ask for that."""
        refuse_other_widths(need, (self.sub_group_size,), self.id)
        per_group = -(-need.group_size // self.sub_group_size)
        local = need.static_local + need.dynamic_local
        warps = _register_warps(self, need.registers) if need.registers else None
        limits = Limits(
            sub_groups=self.max_sub_groups // per_group if need.group_size <= self.max_group_size else 0,
            groups=None,
            registers=None if warps is None else warps // per_group,
            local_memory=0 if local > self.local_per_group else None,
            barriers=None,
        )

        def fault() -> Fault:
            if limits.sub_groups == 0:
                return Fault("group_size", need.group_size, self.max_group_size)
            if warps == 0:
                return Fault("registers_per_thread", need.registers or 0, self.max_registers)
            if limits.registers == 0:
                return Fault("registers", *_file(self, need))
            return Fault("local_memory", local, self.local_per_group)

        return settle(limits, per_group, self.max_sub_groups, fault)

    def allocated(self, need: Need) -> Allocation | None:
        if not need.registers or need.registers > self.max_registers:
            return None
        return Allocation(next(most for most in self.register_classes if need.registers <= most))


def _register_warps(arch: MaliArch, registers: int) -> int:
    """Warps per core by registers per thread alone, what the offline compiler gives as a percentage of all."""
    for halvings, most in enumerate(arch.register_classes):
        if registers <= most:
            return arch.max_sub_groups >> halvings
    return 0


def _file(arch: MaliArch, need: Need) -> tuple[int, int]:
    """Registers that the work-group takes as its class allocates them, and the core's."""
    allocated = next(most for most in arch.register_classes if (need.registers or 0) <= most)
    return need.group_size * allocated, arch.max_threads * arch.register_classes[0]
