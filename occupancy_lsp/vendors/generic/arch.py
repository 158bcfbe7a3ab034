"""The generic compute unit of a published occupancy notebook: processing blocks that hold sub-group states."""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.architecture import Uncounted
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.traits import Traits
from occupancy_lsp.vendors.generic import rule

_TRAITS = Traits(tells_lanes=True)


@dataclass(frozen=True, slots=True)
class GenericArch(Uncounted):
    """One device of the notebook, as it describes it, right or wrong. Sizes in bytes; "unit" means compute unit."""

    id: str  # "generic-gen11-subslice"
    vendor: str  # "generic"
    sub_group_sizes: tuple[int, ...]  # threads, the usual one first; the compiler chooses
    processing_blocks: int  # per unit
    sub_group_states: int  # per processing block
    register_bytes_per_sub_group: int  # more than this, and the notebook says that nothing runs
    register_bytes_per_unit: int
    max_groups: int  # per unit
    local_per_unit: int

    @property
    def sub_group_size(self) -> int:
        return self.sub_group_sizes[0]

    @property
    def max_sub_groups(self) -> int:
        return self.processing_blocks * self.sub_group_states

    @property
    def max_group_size(self) -> int:
        """The notebook sets no limit but the states of a unit."""
        return self.max_sub_groups * max(self.sub_group_sizes)

    @property
    def max_registers(self) -> int:
        """Registers of 4 bytes per thread of the narrowest sub-group."""
        return self.register_bytes_per_sub_group // (4 * min(self.sub_group_sizes))

    @property
    def local_per_group(self) -> int:
        return self.local_per_unit

    @property
    def local_unit(self) -> int:
        """Local memory is given byte by byte."""
        return 1

    @property
    def traits(self) -> Traits:
        return _TRAITS

    def occupancy(self, need: Need) -> Occupancy:
        return rule.occupancy(self, need)
