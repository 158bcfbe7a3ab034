"""Trying work-group sizes, and every amount of registers or local memory: the classic helpers of occupancy calculators.

What others took from Foreign.CUDA.Analysis.Occupancy (Haskell's `cuda`): its optimal size is the first of
`best_group_sizes`, its incPow2 and incWarp are here by these names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.occupancy import Need, Occupancy

Points = list[tuple[int, Occupancy]]


def inc_pow2(arch: Architecture) -> list[int]:
    """Powers of two from one sub-group to the largest work-group."""
    low, high = arch.sub_group_size.bit_length() - 1, arch.max_group_size.bit_length()
    return [1 << exponent for exponent in range(low, high)]


def inc_warp(arch: Architecture, width: int | None = None) -> list[int]:
    """Whole sub-groups, from one to the largest work-group; of `width` threads where the architecture has several."""
    step = width or arch.sub_group_size
    return list(range(step, arch.max_group_size + 1, step))


def resized(need: Need, size: int, per_thread: int) -> Need:
    """`need` with another size; `per_thread` bytes of its dynamic local memory follow the size."""
    more = per_thread * (size - need.group_size)
    return replace(need, group_size=size, dynamic_local=need.dynamic_local + more)


def best_group_sizes(
    arch: Architecture, need_of: Callable[[int], Need], width: int | None = None, most: int | None = None
) -> tuple[float, tuple[int, ...]]:
    """The best percentage that whole sub-groups reach, and every size that reaches it (all of them when it is 0).

    `most`: threads of the largest group in question; no size: none is as large as one sub-group.
    """
    tried = inc_warp(arch, width)
    results = {size: arch.occupancy(need_of(size)) for size in tried if most is None or size <= most}
    if not results:
        return 0.0, ()
    best = max(result.sub_groups for result in results.values())
    sizes = tuple(size for size, result in results.items() if result.sub_groups == best)
    return results[sizes[0]].percent, sizes


def over_group_sizes(arch: Architecture, need: Need, per_thread: int = 0) -> Points:
    """`need` with every whole number of sub-groups, and with its own size; `per_thread`: see `resized`."""
    sizes = sorted({*inc_warp(arch, need.sub_group), min(need.group_size, arch.max_group_size)})
    return [(size, arch.occupancy(resized(need, size, per_thread))) for size in sizes]


def over_registers(arch: Architecture, need: Need) -> Points:
    """`need` with every number of registers per thread."""
    counts = range(1, arch.max_registers + 1)
    return [(count, arch.occupancy(replace(need, registers=count))) for count in counts]


def over_local(arch: Architecture, need: Need) -> Points:
    """`need` with every amount of local memory, static and dynamic together, that is allocated differently."""
    most = arch.local_per_group_opt_in if need.opt_in else arch.local_per_group
    amounts = range(0, most + 1, arch.local_unit)
    return [(total, arch.occupancy(replace(need, static_local=0, dynamic_local=total))) for total in amounts]
