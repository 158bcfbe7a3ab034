"""What full occupancy allows a kernel, and how much work fills a device: the budgets of a GPU optimization guide.

The document divides; here the vendor's rule is asked, which also rounds as the hardware allocates. Both agree where
allocation units divide evenly: 32 registers on GA100.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.cliffs import largest_local, largest_with
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.lanes import lanes
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.search import largest
from occupancy_lsp.model.sweep import inc_pow2


def register_budget(arch: Architecture) -> int | None:
    """The most registers per thread with which some work-group size reaches full occupancy (the document's r_max).

    Powers of two are tried. None: registers never lower it, or nothing ever fits.
    """
    fills = {size: arch.occupancy(Need(size)).percent for size in inc_pow2(arch)}
    best = max(fills.values(), default=0.0)
    sizes = [size for size, percent in fills.items() if percent == best]
    budgets = [largest(1, arch.max_registers, _keeps(arch, size, best)) or 0 for size in sizes]
    return None if max(budgets, default=0) in (0, arch.max_registers) else max(budgets)


def _keeps(arch: Architecture, size: int, percent: float) -> Callable[[int], bool]:
    return lambda count: arch.occupancy(Need(size, count)).percent >= percent


@dataclass(frozen=True, slots=True)
class Budget:
    """`groups` work-groups on a unit, and the most that each may have for so many to fit."""

    groups: int
    percent: float
    registers: int | None  # per thread; None: they never lower the number
    local: int  # bytes per work-group


def budget(arch: Architecture, need: Need, groups: int | None = None) -> Budget | None:
    """Of groups as `need` has them, whatever its registers and local memory are. None: so many never fit.

    `groups` None: as many as there can be (the document's wg_max, whole and no more than the unit allows).
    """
    bare = replace(need, registers=None, register_bytes=None, static_local=0, dynamic_local=0)
    best = arch.occupancy(bare)
    count = best.groups if groups is None else groups
    if not 0 < count <= best.groups:
        return None
    registers, local = largest_with(arch, bare, count), largest_local(arch, bare, count) or 0
    percent = 100.0 * count * lanes(arch, bare).sub_groups / best.max_sub_groups
    return Budget(count, percent, registers if registers < arch.max_registers else None, local)


def work_items_to_fill(device: Device) -> int | None:
    """Work-items without which some lane of the device has no work (wi_min); None: its size is not known."""
    if device.compute_units is None:
        return None
    arch = device.arch
    per_unit = arch.max_sub_groups // arch.occupancy(Need(arch.sub_group_size)).compute_units
    return per_unit * arch.sub_group_size * device.compute_units
