"""Imagination's PowerVR GPUs, and the occupancy of a compute kernel on one shader cluster (USC) of Rogue: an estimate.

Source of the numbers: Mesa's pvr driver (slots, instances per task, temporaries, common store). That slots shrink in
proportion to the temporaries beyond `full_registers` is our reading of a file shared by all slots.
"""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.architecture import Uncounted
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy
from occupancy_lsp.model.settle import groups_by_local, refuse_other_widths, settle
from occupancy_lsp.model.traits import Traits

_NOUNS = Nouns("work-group", "work-groups", "task", "tasks", "USC", "local memory", "local", "WG")

_TRAITS = Traits(counts_registers=False)


@dataclass(frozen=True, slots=True)
class ImaginationArch(Uncounted):
    """One Rogue core; "unit" means USC (shader cluster), whose slots hold a task of 32 instances each."""

    id: str  # "rogue-bxs-4-64"
    vendor: str  # "imagination"
    sub_group_size: int  # instances per task
    max_group_size: int  # threads
    max_sub_groups: int  # slots per USC
    full_registers: int  # the most temporaries per thread with which all slots can be used
    max_registers: int  # temporaries (32-bit) per thread
    local_per_unit: int  # common store; other uses take part of it
    local_per_group: int
    local_unit: int

    @property
    def max_groups(self) -> int:
        return self.max_sub_groups

    @property
    def traits(self) -> Traits:
        return _TRAITS

    @property
    def nouns(self) -> Nouns:
        return _NOUNS

    def occupancy(self, need: Need) -> Occupancy:
        """What one USC holds of work-groups that each ask for `need`. ValueError: no kernel can ask for that."""
        refuse_other_widths(need, (self.sub_group_size,), self.id)
        per_group = -(-need.group_size // self.sub_group_size)
        local = need.static_local + need.dynamic_local
        slots = _slots(self, need.registers) if need.registers else None
        limits = Limits(
            sub_groups=self.max_sub_groups // per_group if need.group_size <= self.max_group_size else 0,
            groups=None,
            registers=None if slots is None else slots // per_group,
            local_memory=groups_by_local(self, local),
            barriers=None,
        )

        def fault() -> Fault:
            if limits.sub_groups == 0:
                return Fault("group_size", need.group_size, self.max_group_size)
            if slots == 0:
                return Fault("registers_per_thread", need.registers or 0, self.max_registers)
            if limits.registers == 0:
                asked = (need.registers or 0) * per_group * self.sub_group_size
                return Fault("registers", asked, self.max_sub_groups * self.full_registers * self.sub_group_size)
            return Fault("local_memory", local, self.local_per_group)

        return settle(limits, per_group, self.max_sub_groups, fault)


def _slots(arch: ImaginationArch, registers: int) -> int:
    if registers > arch.max_registers:
        return 0
    return arch.max_sub_groups * arch.full_registers // max(registers, arch.full_registers)
