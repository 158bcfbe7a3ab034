"""How many lanes of a work-group's sub-groups have a thread: the "Occupancy calculator" notebook's thread occupancy."""

from __future__ import annotations

from dataclasses import dataclass

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.occupancy import Need


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
    width = arch.width(need)
    return Lanes(need.group_size, -(-need.group_size // width) * width, arch.sub_groups(need))
