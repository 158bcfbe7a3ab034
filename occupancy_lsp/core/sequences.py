"""What two versions of sequences share, so that a key looks again only at what lies between."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress, count
from operator import is_not


def shared_ends(*versions: tuple[Sequence[object], Sequence[object]]) -> tuple[int, int]:
    """How many at the start and how many at the end are the same objects in all; none is counted twice.

    Each sequence is given as it was and as it is; those that go together are equally long.
    """
    most = min(map(len, versions[0]))
    changed = [(was, now) for was, now in versions if was is not now]
    head = min((_alike(was, now, most) for was, now in changed), default=most)
    tail = min((_alike(reversed(was), reversed(now), most) for was, now in changed), default=most)
    return head, min(tail, most - head)


def _alike(was: Iterable[object], now: Iterable[object], most: int) -> int:
    return next(compress(count(), map(is_not, was, now)), most)
