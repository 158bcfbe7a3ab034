"""What two versions of sequences share, so that a key looks again only at what lies between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, compress, count
from operator import is_not
from typing import Any, Generic, TypeVar

_T = TypeVar("_T")


class _Spliced(list[_T]):
    """Made of another sequence, of which the first `head` and the last `tail` are in it."""

    __slots__ = ("head", "tail", "was")

    def __init__(self, was: Sequence[_T], head: int, tail: int, middle: Iterable[_T]) -> None:
        super().__init__(was[:head])
        self += middle
        self += was[len(was) - tail :]
        self.head, self.tail = head, tail
        self.was: Sequence[_T] | None = was


def spliced(was: Sequence[_T], head: int, tail: int, middle: Iterable[_T]) -> Sequence[_T]:
    """The first and the last of a sequence with others between them. Nobody changes either any more: `shared_ends` of
    the two is told without a look at them. The same, if nothing differs."""
    middle = [*middle]
    if not middle and head + tail == len(was):
        return was
    now = _Spliced(was, head, tail, middle)
    if isinstance(was, _Spliced):
        was.was = None  # else each version would keep all before it
    return now


def shared_ends(*versions: tuple[Sequence[object], Sequence[object]]) -> tuple[int, int]:
    """How many at the start and how many at the end are the same objects in all; none is counted twice.

    Each sequence is given as it was and as it is; those that go together are equally long.
    """
    most = min(map(len, versions[0]))
    each = [_ends(was, now, most) for was, now in versions]
    head, tail = (min(it) for it in zip(*each, strict=True))
    return head, min(tail, most - head)


def _ends(was: Sequence[object], now: Sequence[object], most: int) -> tuple[int, int]:
    if was is now:
        return most, most
    if isinstance(now, _Spliced) and now.was is was:
        return now.head, now.tail
    return _alike(was, now, most), _alike(reversed(was), reversed(now), most)


def _alike(was: Iterable[object], now: Iterable[object], most: int) -> int:
    return next(compress(count(), map(is_not, was, now)), most)


class InStep:
    """What is said of each place of some sequences, in columns, in step with them: it is said only of what came."""

    def __init__(self, width: int) -> None:
        self._empty: tuple[Sequence[Any], ...] = ((),) * width
        self._last: tuple[object, tuple[Sequence[object], ...], tuple[Sequence[Any], ...]] = None, (), self._empty

    def follow(
        self, say: Callable[..., tuple[Any, ...]], *now: Sequence[object], given: object = None
    ) -> tuple[Sequence[Any], ...]:
        """`say`: a row, of what stands at one place of all the sequences, which nobody changes any more. `given`: an
        object that rows hang on besides; with another, all are said anew."""
        before, of, known = self._last
        if len(of) != len(now) or given is not before:
            of, known = ((),) * len(now), self._empty
        head, tail = shared_ends(*zip(of, now, strict=True))
        rows = [*map(say, *(it[head : len(it) - tail] for it in now))]
        came = zip(*rows, strict=True) if rows else self._empty
        columns = tuple([spliced(was, head, tail, new) for was, new in zip(known, came, strict=True)])
        self._last = given, now, columns
        return columns


class Flat(Generic[_T]):
    """What the rows of a sequence hold, one after the other, in step with it."""

    def __init__(self) -> None:
        self._rows: Sequence[Sequence[_T]] = ()
        self._flat: Sequence[_T] = ()

    def follow(self, rows: Sequence[Sequence[_T]]) -> Sequence[_T]:
        head, tail = shared_ends((self._rows, rows))
        last = len(rows) - tail
        gone = sum(map(len, self._rows[head : len(self._rows) - tail]))
        came = [*chain.from_iterable(rows[head:last])]
        if gone or came:
            behind = sum(map(len, rows[last:]))
            self._flat = spliced(self._flat, len(self._flat) - gone - behind, behind, came)
        self._rows = rows
        return self._flat


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
