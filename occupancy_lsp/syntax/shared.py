"""What two versions of a sequence share, so that a key looks again only at what lies between."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, count
from operator import is_not


def shared_ends(before: Sequence[object], now: Sequence[object]) -> tuple[int, int]:
    """How many at the start and how many at the end are the same objects; none is counted twice."""
    if before is now:
        return len(now), 0
    most = min(len(before), len(now))
    head = next(compress(count(), map(is_not, before, now)), most)
    tail = next(compress(count(), map(is_not, reversed(before), reversed(now))), most)
    return head, min(tail, most - head)
