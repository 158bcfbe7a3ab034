"""How TileLang lays out arrays in one allocation (`LinearScanPack` in `merge_shared_memory_allocations.cc`, 0.1.15)."""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.sema.builtin_layout import round_up

_LEAST = 16  # bytes: of these the whole is a multiple


@dataclass(frozen=True, slots=True)
class Interval:
    """An array that is used by the statements from `first` to `last`."""

    first: int
    last: int
    size: int


def packed(arrays: Sequence[Interval], alignment: int) -> int:
    """Bytes: each array takes the free block that it fills best, else the last one, which grows, else the end."""
    free: list[tuple[int, int]] = []  # from, to
    living: list[tuple[int, int, int]] = []  # until, from, to
    top = 0
    for it in sorted(arrays, key=lambda it: (it.first, -it.size)):
        for gone in [one for one in living if one[0] < it.first]:
            living.remove(gone)
            free = _merged([*free, gone[1:]])
        fitting = [
            (end - start - it.size, start, end) for start, end in free if round_up(start, alignment) + it.size <= end
        ]
        tail = free[-1] if free and free[-1][1] == top and round_up(free[-1][0], alignment) < top else None
        if fitting:
            _, start, end = min(fitting)
        elif tail is not None:
            start, end = tail
        else:
            start = end = top
        at = round_up(start, alignment)
        free = [one for one in free if one != (start, end)]
        free = _merged([*free, (start, at), (at + it.size, max(end, at + it.size))])
        top = max(top, at + it.size)
        living.append((it.last, at, at + it.size))
    return round_up(top, _LEAST)


def _merged(blocks: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(it for it in blocks if it[0] < it[1]):
        if found and found[-1][1] >= start:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
