"""What two versions of sequences share, so that a key looks again only at what lies between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import compress, count
from operator import is_not
from typing import Any


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


class InStep:
    """What is said of each place of some sequences, in columns, in step with them: it is said only of what came."""

    def __init__(self, width: int) -> None:
        self._empty: tuple[list[Any], ...] = ([],) * width
        self._last: tuple[object, tuple[Sequence[object], ...], tuple[list[Any], ...]] = None, (), self._empty

    def follow(
        self, say: Callable[..., tuple[Any, ...]], *now: Sequence[object], given: object = None
    ) -> tuple[list[Any], ...]:
        """`say`: a row, of what stands at one place of all the sequences, which nobody changes any more. `given`: an
        object that rows hang on besides; with another, all are said anew."""
        before, of, known = self._last
        if not of or given is not before:
            of, known = ((),) * len(now), self._empty
        head, tail = shared_ends(*zip(of, now, strict=True))
        rows = [*map(say, *(it[head : len(it) - tail] for it in now))]
        came = zip(*rows, strict=True) if rows else self._empty
        each = zip(known, came, strict=True)
        columns = tuple([*was[:head], *new, *was[len(was) - tail :]] for was, new in each)
        self._last = given, now, columns
        return columns


def shared_bytes(was: bytes, now: bytes) -> tuple[int, int]:
    """How many bytes at the start and how many at the end are the same; none is counted twice."""
    most = min(len(was), len(now))
    head = _most(lambda a, b: was[a:b] == now[a:b], most)
    ends = len(was), len(now)
    return head, _most(lambda a, b: was[ends[0] - b : ends[0] - a] == now[ends[1] - b : ends[1] - a], most - head)


def _most(alike: Callable[[int, int], bool], most: int) -> int:
    """How many are alike, `most` at most. Halves are compared, which the machine does at once."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if alike(least, middle):
            least = middle
        else:
            most = middle - 1
    return least
