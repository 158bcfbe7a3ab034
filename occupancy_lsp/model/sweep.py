"""Trying work-group sizes: the classic helpers of occupancy calculators.

Names and behaviour follow Foreign.CUDA.Analysis.Occupancy (Haskell's `cuda`), from which others took them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from occupancy_lsp.model.device import Architecture, Device
from occupancy_lsp.model.dispatch import occupancy
from occupancy_lsp.model.occupancy import Need, Occupancy

Points = list[tuple[int, Occupancy]]


def inc_pow2(arch: Architecture) -> list[int]:
    """Powers of two from one sub-group to the largest work-group."""
    low, high = arch.sub_group_size.bit_length() - 1, arch.max_group_size.bit_length()
    return [1 << exponent for exponent in range(low, high)]


def dec_pow2(arch: Architecture) -> list[int]:
    return inc_pow2(arch)[::-1]


def inc_warp(arch: Architecture) -> list[int]:
    """Whole sub-groups, from one to the largest work-group."""
    return list(range(arch.sub_group_size, arch.max_group_size + 1, arch.sub_group_size))


def dec_warp(arch: Architecture) -> list[int]:
    return inc_warp(arch)[::-1]


def optimal_group_size(
    arch: Architecture,
    registers_of: Callable[[int], int],
    local_of: Callable[[int], int],
    candidates: Iterable[int] | None = None,
) -> tuple[int, Occupancy]:
    """The candidate with the highest occupancy, the last of equals: falling candidates give the smallest such size.

    Registers per thread and bytes of local memory may depend on the size. Candidates default to `dec_warp`.
    ValueError: no candidates.
    """
    best: tuple[int, Occupancy] | None = None
    for size in dec_warp(arch) if candidates is None else candidates:
        result = occupancy(arch, Need(size, registers_of(size), local_of(size)))
        if best is None or result.sub_groups >= best[1].sub_groups:
            best = size, result
    if best is None:
        raise ValueError("no work-group sizes to choose from")
    return best


def best_group_sizes(arch: Architecture, need_of: Callable[[int], Need]) -> tuple[float, tuple[int, ...]]:
    """The best percentage that whole sub-groups reach, and every size that reaches it (all of them when it is 0)."""
    results = {size: occupancy(arch, need_of(size)) for size in inc_warp(arch)}
    best = max(result.sub_groups for result in results.values())
    sizes = tuple(size for size, result in results.items() if result.sub_groups == best)
    return results[sizes[0]].percent, sizes


def max_resident_groups(device: Device, need: Need) -> int | None:
    """Work-groups that the whole device holds at once; None: its number of compute units is not known."""
    if device.compute_units is None:
        return None
    result = occupancy(device.arch, need)
    return device.compute_units // result.compute_units * result.groups


def over_group_sizes(arch: Architecture, need: Need) -> Points:
    """`need` with every whole number of sub-groups, and with its own size."""
    sizes = sorted({*inc_warp(arch), min(need.group_size, arch.max_group_size)})
    return [(size, occupancy(arch, replace(need, group_size=size))) for size in sizes]


def over_registers(arch: Architecture, need: Need) -> Points:
    """`need` with every number of registers per thread."""
    counts = range(1, arch.max_registers + 1)
    return [(count, occupancy(arch, replace(need, registers=count))) for count in counts]


def over_local(arch: Architecture, need: Need) -> Points:
    """`need` with every amount of local memory, static and dynamic together, that is allocated differently."""
    most = arch.local_per_group_opt_in if need.opt_in else arch.local_per_group
    amounts = range(0, most + 1, arch.local_unit)
    return [(total, occupancy(arch, replace(need, static_local=0, dynamic_local=total))) for total in amounts]
