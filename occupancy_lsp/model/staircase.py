"""Occupancy over one input as the staircase that it is: between two edges nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.rounding import round_up


@dataclass(frozen=True, slots=True)
class Step:
    """From `first` to `last` of what is swept, the same work-groups are resident for the same reasons."""

    first: int
    last: int
    result: Occupancy


def by_group_size(arch: Architecture, need: Need, most: int | None = None) -> tuple[Step, ...]:
    """Of every size up to `most`; it only falls within a sub-group, whose width may turn on the size."""
    largest = min(most or arch.max_group_size, arch.max_group_size)
    found: list[Step] = []
    last = 0
    while last < largest:
        first = last + 1
        last = min(round_up(first, arch.width(replace(need, group_size=first))), largest)
        found += _stairs(lambda size: arch.occupancy(replace(need, group_size=size)), first, last)
    return tuple(found)


def by_registers(arch: Architecture, need: Need) -> tuple[Step, ...]:
    """Of every count per thread, from 1."""
    return _stairs(lambda count: arch.occupancy(replace(need, registers=count)), 1, arch.max_registers)


def by_local(arch: Architecture, need: Need) -> tuple[Step, ...]:
    """Of every amount of local memory per work-group, static and dynamic together, in bytes."""
    most, unit = arch.local_per_group_opt_in if need.opt_in else arch.local_per_group, arch.local_unit
    stairs = _stairs(
        lambda units: arch.occupancy(replace(need, static_local=0, dynamic_local=units * unit)), 0, most // unit
    )
    return tuple(Step(max((it.first - 1) * unit + 1, 0), it.last * unit, it.result) for it in stairs)


def _stairs(at: Callable[[int], Occupancy], first: int, last: int) -> tuple[Step, ...]:
    """`at` must only fall, so that between two equal results all are equal."""
    found: list[Step] = []
    for step in _between(at, (first, at(first)), (last, at(last))):
        if found and _alike(found[-1].result, step.result):
            found[-1] = replace(found[-1], last=step.last)
        else:
            found.append(step)
    return tuple(found)


_Point = tuple[int, Occupancy]


def _between(at: Callable[[int], Occupancy], low: _Point, high: _Point) -> Iterator[Step]:
    if _alike(low[1], high[1]):
        yield Step(low[0], high[0], low[1])
    elif high[0] == low[0] + 1:
        yield from (Step(where, where, result) for where, result in (low, high))
    else:
        middle = (low[0] + high[0]) // 2
        yield from _between(at, low, (middle, at(middle)))
        yield from _between(at, (middle + 1, at(middle + 1)), high)


def _alike(one: Occupancy, other: Occupancy) -> bool:
    return (one.sub_groups, one.groups, one.limiters) == (other.sub_groups, other.groups, other.limiters)
