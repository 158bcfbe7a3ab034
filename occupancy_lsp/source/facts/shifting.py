"""Facts of a text in which an edit has moved what stands behind it."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_not
from typing import Any, TypeVar, cast

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.record import Record
from occupancy_lsp.source.facts.facts import Lambda
from occupancy_lsp.source.text.expressions import NOWHERE

_T = TypeVar("_T")
OFFSETS = {"start", "end", "base", "tested"}  # fields of facts that count in the item
SEVERAL = {"uses", "reads", "special", "under"}  # those that hold several such
# Types of fields that hold no offset.
_PLAIN = frozenset(
    (
        *("str", "bool", "int", "bytes", "str | None", "bytes | None", "frozenset[str]"),
        *("tuple[str, ...]", "tuple[str, ...] | None", "Conditions"),
    )
)


class Unsure(Exception):
    """What an edit has changed cannot be told by a part of the text alone."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The bytes from `start` to `end` became others, of which there are `by` more. Called with an offset outside of
    them, it tells where that is now; with another, it raises Unsure."""

    start: int
    end: int
    by: int

    @staticmethod
    def between(was: bytes, now: bytes) -> Edit:
        """All in which two texts differ, as one edit."""
        most = min(len(was), len(now))
        start = _most(lambda count: was[:count] == now[:count], most)
        tail = _most(lambda count: was[len(was) - count :] == now[len(now) - count :], most - start)
        return Edit(start, len(was) - tail, len(now) - len(was))

    def __call__(self, offset: int) -> int:
        if offset <= self.start or offset >= NOWHERE:
            return offset
        if offset < self.end:
            raise Unsure
        return offset + self.by


def _most(holds: Callable[[int], bool], most: int) -> int:
    """The largest number up to `most` of which it holds, as it does of all smaller ones."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


At = Callable[[int], int]
_Change = Callable[[Any, At], Any]


def shifted(it: _T, at: At) -> _T:
    """`it` with all offsets in it where `at` has them; the same object where none moves."""
    return cast(_T, _change(type(it))(it, at))


@remembered(256)
def _change(kind: type) -> _Change:
    if kind is tuple:
        return _tuple
    if not issubclass(kind, Record):
        return _same
    fields = tuple(_changes(kind))
    return _record(fields) if fields else _same


def _same(it: Any, at: At) -> Any:
    return it


def _tuple(it: tuple[Any, ...], at: At) -> tuple[Any, ...]:
    now = tuple([_change(type(each))(each, at) for each in it])
    return now if any(map(is_not, it, now)) else it


def _record(fields: tuple[tuple[str, _Change], ...]) -> _Change:
    def changed(it: Record, at: At) -> Record:
        changes = {}
        for name, change in fields:
            was = getattr(it, name)
            now = change(was, at)
            if now is not was and now != was:
                changes[name] = now
        return structs.replace(it, **changes) if changes else it

    return changed


def _offsets(it: tuple[int, ...], at: At) -> tuple[int, ...]:
    return tuple(map(at, it))


def _any(it: Any, at: At) -> Any:
    return _change(type(it))(it, at)


def _handed(it: tuple[int, int] | None, at: At) -> tuple[int, int] | None:
    return (at(it[0]), it[1]) if it is not None else None


def _variable(it: tuple[str, int] | None, at: At) -> tuple[str, int] | None:
    return (it[0], at(it[1])) if it is not None else None


_OF_LAMBDA: tuple[tuple[str, _Change], ...] = (("handed", _handed), ("variable", _variable))


def _changes(kind: type[Record]) -> list[tuple[str, _Change]]:
    """The fields that may hold offsets, and how each is changed."""
    found = [*_OF_LAMBDA] if kind is Lambda else []
    for name in kind.__struct_fields__:
        if name in OFFSETS:
            found.append((name, lambda it, at: at(it)))
        elif name in SEVERAL:
            found.append((name, _offsets))
        elif kind.__annotations__.get(name) not in _PLAIN:
            found.append((name, _any))
    return found
