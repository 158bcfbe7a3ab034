"""Which block size CUDA's own API chooses. Source: cudaOccMaxPotentialOccupancyBlockSize (13.0)."""

from __future__ import annotations

from collections.abc import Callable

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from occupancy_lsp.vendors.nvidia.rule import occupancy


@dataclass(frozen=True, slots=True)
class PotentialBlockSize:
    """`group_size` threads, of which `groups` blocks are resident per SM; both 0 when no size can be launched."""

    group_size: int
    groups: int


def max_potential_block_size(
    arch: NvidiaArch,
    registers: int | None,
    static_local: int,
    dynamic_local: int | Callable[[int], int] = 0,
    limit: int | None = None,
    carveout: int | None = None,
    opt_in: bool = True,
) -> PotentialBlockSize:
    """The block size that keeps the most threads resident, as CUDA finds it: of equals, the larger.

    `limit` is the kernel's own bound on the block size; `dynamic_local` may depend on the block size.
    """
    top = arch.max_group_size if limit is None else min(limit, arch.max_group_size)
    best = PotentialBlockSize(0, 0)
    for warps in range(-(-top // arch.sub_group_size), 0, -1):
        size = min(top, warps * arch.sub_group_size)
        dynamic = dynamic_local(size) if callable(dynamic_local) else dynamic_local
        groups = occupancy(arch, Need(size, registers, static_local, dynamic, opt_in, carveout)).groups
        if size * groups > best.group_size * best.groups:
            best = PotentialBlockSize(size, groups)
    return best
