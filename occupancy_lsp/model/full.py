"""What full occupancy allows a kernel, and how much work fills a device: the budgets of seed 001.

The document divides; here the vendor's rule is asked, which also rounds as the hardware allocates. Both agree where
allocation units divide evenly: 32 registers on GA100.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from occupancy_lsp.model.device import Architecture, Device
from occupancy_lsp.model.dispatch import occupancy
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.search import largest
from occupancy_lsp.model.sweep import inc_pow2


def register_budget(arch: Architecture) -> int | None:
    """The most registers per thread with which some work-group size reaches full occupancy (the document's r_max).

    Powers of two are tried. None: registers never lower it, or nothing ever fits.
    """
    fills = {size: occupancy(arch, Need(size)).percent for size in inc_pow2(arch)}
    best = max(fills.values(), default=0.0)
    sizes = [size for size, percent in fills.items() if percent == best]
    budgets = [largest(1, arch.max_registers, _keeps(arch, size, best)) or 0 for size in sizes]
    return None if max(budgets, default=0) in (0, arch.max_registers) else max(budgets)


def _keeps(arch: Architecture, size: int, percent: float) -> Callable[[int], bool]:
    return lambda count: occupancy(arch, Need(size, count)).percent >= percent


@dataclass(frozen=True, slots=True)
class LocalBudget:
    """`groups` work-groups of a size, the most there can be, and bytes of local memory that each may have then."""

    groups: int  # the document's wg_max, whole and no more than the unit allows
    each: int


def local_budget(arch: Architecture, group_size: int) -> LocalBudget:
    """Local memory per work-group that keeps as many resident as without any. No groups: that size cannot launch."""
    groups = occupancy(arch, Need(group_size)).groups

    def keeps(total: int) -> bool:
        return occupancy(arch, Need(group_size, dynamic_local=total)).groups >= groups

    return LocalBudget(groups, largest(0, arch.local_per_group_opt_in, keeps) or 0 if groups else 0)


def even_share(local: int, groups: int) -> int:
    """The document's budget: `local` bytes of a unit shared by `groups` work-groups, with nothing lost in between."""
    return local // groups


def work_items_to_fill(device: Device) -> int | None:
    """Work-items without which some lane of the device has no work (wi_min); None: its size is not known."""
    if device.compute_units is None:
        return None
    arch = device.arch
    per_unit = arch.max_sub_groups // occupancy(arch, Need(arch.sub_group_size)).compute_units
    return per_unit * arch.sub_group_size * device.compute_units
