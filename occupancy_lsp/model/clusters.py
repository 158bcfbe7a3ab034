"""How many clusters of work-groups fit on a device, whose compute units stand in parts that no cluster spans."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parts:
    """At most `count` parts of at most `units` compute units each, in steps of `step`. `name`: their plural."""

    name: str
    count: int
    units: int
    step: int


def most_clusters(units: int, parts: Parts, per_unit: int, size: int) -> tuple[int, int] | None:
    """The most clusters of `size` work-groups that fit at once: in the worst and in the best of all ways in which
    `units` may be spread over the parts. None: in no way.

    `per_unit`: work-groups that one compute unit holds. Hardware may have further rules, so fewer may be resident.
    """
    reach: dict[int, tuple[int, int]] = {0: (0, 0)}
    for _ in range(parts.count):
        now: dict[int, tuple[int, int]] = {}
        for taken, (worst, best) in reach.items():
            for own in range(0, min(parts.units, units - taken) + 1, parts.step):
                room = own * per_unit // size
                low, high = now.get(taken + own, (worst + room, best + room))
                now[taken + own] = min(low, worst + room), max(high, best + room)
        reach = now
    return reach.get(units)
