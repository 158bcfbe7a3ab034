"""Imagination's PowerVR GPUs as data: what one USC holds."""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.architecture import Uncounted
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.traits import Traits
from occupancy_lsp.vendors.imagination import rule

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
        return rule.occupancy(self, need)
