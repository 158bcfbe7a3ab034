"""Occupancy where an input is open: the lowest and the highest figure that any allowed input gives.

More registers or more bytes never raise the figure, so the ends of their ranges suffice. A larger work-group may do
either (512 threads fill an SM of 1536, 1024 do not), so every number of sub-groups is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from occupancy_lsp.model.device import Architecture
from occupancy_lsp.model.dispatch import occupancy
from occupancy_lsp.model.occupancy import Need, Occupancy


def lowest_and_highest(arch: Architecture, needs: Iterable[Need]) -> tuple[Occupancy, Occupancy]:
    """By resident sub-groups, the first of equals. ValueError: no needs."""
    results = [occupancy(arch, need) for need in needs]
    return min(results, key=_fill), max(results, key=_fill)


def group_sizes(arch: Architecture, low: int, high: int) -> tuple[int, ...]:
    """One work-group size per number of sub-groups among low..high threads: within one the figure does not change.

    Sizes over the limit are left out, unless all are: then `low` alone stands for them.
    """
    top = min(high, arch.max_group_size)
    if top < low:
        return (low,)
    step = arch.sub_group_size
    return tuple(min(count * step, top) for count in range(-(-low // step), -(-top // step) + 1))


def open_needs(
    need: Need,
    group_sizes: Iterable[int],
    registers: tuple[int | None, int | None] | None = None,
    dynamic_local: tuple[int, int] | None = None,
) -> Iterator[Need]:
    """`need` at both ends of each open range (None: not open) and at every size."""
    counts = dict.fromkeys(registers or (need.registers,))
    amounts = dict.fromkeys(dynamic_local or (need.dynamic_local,))
    for size in group_sizes:
        for count in counts:
            for amount in amounts:
                yield replace(need, group_size=size, registers=count, dynamic_local=amount)


def _fill(result: Occupancy) -> int:
    return result.sub_groups
