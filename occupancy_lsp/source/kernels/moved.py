"""Whether an item, or a function in it, is another version of itself in which an edit has only moved things.

Who sees that need not tell what each text means: all that is named stands in the same order in the same scopes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Sequence, Set
from dataclasses import fields, is_dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TypeVar, cast

from msgspec import structs

from occupancy_lsp.core.record import Record
from occupancy_lsp.source.facts.definitions import ALL_OF_NAMESPACE
from occupancy_lsp.source.facts.facts import Definition, Function, ItemFacts, Lambda
from occupancy_lsp.source.facts.names import Defined, PlacedItem
from occupancy_lsp.source.kernels.alike import variable_of
from occupancy_lsp.source.text.values import Place

_T = TypeVar("_T")
_NESTED = Record, tuple
_OFFSETS = {"start", "end", "base"}  # fields of facts that count in the item
_SEVERAL = {"uses", "reads", "special"}  # those that hold several such
# What is looked at otherwise; and texts of bodies, of which who asks for a function by its name takes the latest.
_ASIDE = {"names", "scoped", "shown", "code"}
_OF_LAMBDA = {"handed", "variable"}  # which the call says that it is handed to, and the definition of the variable


class _Told(NamedTuple):
    """What facts say, and the offsets in them."""

    said: list[Hashable]
    at: list[int]


class _Version(NamedTuple):
    """`defined`: the definitions that hold within braces, with the words that bear them; `rest`: all else."""

    rest: _Told
    defined: Sequence[tuple[str, _Told]]
    names: Set[str]


class Moves:
    """From where things in an item stood to where they stand now, both ascending."""

    def __init__(self, slot: int, before: Sequence[int], now: Sequence[int]) -> None:
        self._slot = slot
        self._before = before
        self._now = now

    @property
    def any(self) -> bool:
        return self._before != self._now

    def at(self, offset: int) -> int:
        """What stands between two things moved with the first of them."""
        if not self._before:
            return offset
        index = max(bisect_right(self._before, offset) - 1, 0)
        return offset + self._now[index] - self._before[index]

    def of(self, it: _T) -> _T:
        """The same with the places in the item as they are now."""
        moved: Any = it
        match it:
            case Place(item):
                moved = self._place(it) if item == self._slot else it
            case tuple():
                moved = tuple(map(self.of, it))
            case Record():
                others = self._others(it, it.__struct_fields__)
                moved = structs.replace(it, **others) if others else it
            case _ if is_dataclass(it) and not isinstance(it, type):
                others = self._others(it, (each.name for each in fields(it)))
                moved = replace(it, **others) if others else it
        return cast(_T, moved)

    def _place(self, it: Place) -> Place:
        """Where nothing is known to end or start, it ends with what is in it."""
        last = bisect_left(self._before, it.end)
        known = self._before[last : last + 1] == [it.end]
        end = self.at(it.end) if known or it.start == it.end else self.at(it.end - 1) + 1
        return Place(it.item, self.at(it.start), end)

    def _others(self, it: object, names: Iterable[str]) -> dict[str, object]:
        """The fields that say something else now."""
        each = ((name, getattr(it, name)) for name in names)
        return {name: now for name, was in each if (now := self.of(was)) != was}


def slots_in(it: object) -> frozenset[int]:
    """Of the items in which something stands that it names a place of."""
    found: set[int] = set()
    todo = [it]
    while todo:
        match todo.pop():
            case Place(item):
                found.add(item)
            case tuple() as several:
                todo += several
            case Record() as record:
                todo += map(partial(getattr, record), record.__struct_fields__)
            case one if is_dataclass(one) and not isinstance(one, type):
                todo += (getattr(one, each.name) for each in fields(one))
    return frozenset(found)


def is_moved(one: Defined, other: Defined) -> bool:
    """Whether two functions say the same, but for definitions whose names the other version has nowhere.

    What macros bring, the caller looks at.
    """
    return _pairs(_of_function(*one), _of_function(*other)) is not None


def moves(slot: int, before: ItemFacts, now: ItemFacts) -> Moves | None:
    """The same of two items in a slot, and where all in the one before stands now; None: there is more to it."""
    pairs = _pairs(_of_item(now), _of_item(before))
    return Moves(slot, *pairs) if pairs is not None else None


def _pairs(here: _Version, there: _Version) -> tuple[Sequence[int], Sequence[int]] | None:
    """Where things stood and where they stand, both ascending, if that is all in which the versions differ."""
    if here.rest.said != there.rest.said:
        return None
    defined, before = _known(here.defined, there.names), _known(there.defined, here.names)
    if [it.said for it in defined] != [it.said for it in before]:
        return None
    was = [*there.rest.at, *chain.from_iterable(it.at for it in before)]
    at = [*here.rest.at, *chain.from_iterable(it.at for it in defined)]
    either = sorted({*zip(was, at, strict=True)})
    was, at = [it for it, _ in either], [it for _, it in either]
    return (was, at) if was == sorted({*was}) and at == sorted({*at}) else None


def _known(defined: Iterable[tuple[str, _Told]], names: Set[str]) -> list[_Told]:
    return [told for word, told in defined if word in names or word == ALL_OF_NAMESPACE]


def _of_function(placed: PlacedItem, function: Function) -> _Version:
    return function.beside.ask("version", lambda: _function(placed.facts, function))


def _function(facts: ItemFacts, function: Function) -> _Version:
    it, types = function, tuple(it for it in facts.types if it.scope is not None)
    called = it.calls, it.alone, it.loose, it.numbered, it.lambdas
    rest = it.body, *called, it.branches, it.passages, it.parameters, it.arrays, types
    return _version(rest, facts, it.names)


def _of_item(facts: ItemFacts) -> _Version:
    return facts.beside.ask("version", lambda: _item(facts))


def _item(facts: ItemFacts) -> _Version:
    return _version(facts, facts, frozenset().union(*(it.names for it in facts.functions)))


def _version(rest: object, facts: ItemFacts, names: Set[str]) -> _Version:
    return _Version(_told(rest), [(_word(it), _told(it)) for it in facts.scoped], names)


def _word(it: Definition) -> str:
    return it.name if it.name == ALL_OF_NAMESPACE else variable_of(it.name) or it.name


def _told(it: object) -> _Told:
    told = _Told([], [])
    _tell(it, told)
    return told


def _tell(it: object, told: _Told) -> None:
    said, at = told
    if isinstance(it, Record):
        said.append(type(it))
        for name in it.__struct_fields__:
            value = getattr(it, name)
            if name in _OFFSETS:
                at.append(value)
            elif name in _ASIDE or (name in _OF_LAMBDA and isinstance(it, Lambda)):
                continue
            elif name in _SEVERAL:
                said.append(len(value))
                at.extend(value)
            elif isinstance(value, _NESTED):
                _tell(value, told)
            else:
                said.append(value)
    elif isinstance(it, str) and it.startswith("["):
        said.append(it.partition("{")[0])  # what stands in a lambda, the facts say
    elif isinstance(it, tuple):
        said.append(len(it))
        for value in it:
            _tell(value, told)
    else:
        said.append(it)
