"""How many lanes of a work-group's sub-groups have a thread: what the notebook of seed 000 calls thread occupancy."""

from __future__ import annotations

from dataclasses import dataclass

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.mobile_arch import AdrenoArch
from occupancy_lsp.vendors.qualcomm.rule import wave_size, waves_per_group


@dataclass(frozen=True, slots=True)
class Lanes:
    """`threads` of a work-group in `lanes` lanes of whole sub-groups."""

    threads: int
    lanes: int
    sub_groups: int  # that the work-group takes, as they are allocated

    @property
    def percent(self) -> float:
        return 100.0 * self.threads / self.lanes


def lanes(arch: Architecture, need: Need) -> Lanes:
    """Below 100% only where the work-group is no multiple of the sub-group; independent of what limits residency."""
    width = wave_size(arch, need) if isinstance(arch, AdrenoArch) else need.sub_group or arch.sub_group_size
    count = -(-need.group_size // width)
    allocated = waves_per_group(arch, need) if isinstance(arch, AdrenoArch) else count
    return Lanes(need.group_size, count * width, allocated)
