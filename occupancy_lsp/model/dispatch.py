"""One entry to every vendor's rule."""

from __future__ import annotations

from occupancy_lsp.model import nvidia
from occupancy_lsp.model.device import Architecture
from occupancy_lsp.model.occupancy import Need, Occupancy


def occupancy(arch: Architecture, need: Need) -> Occupancy:
    """What one compute unit of `arch` holds of work-groups that each ask for `need`. ValueError: impossible need."""
    return nvidia.occupancy(arch, need)
