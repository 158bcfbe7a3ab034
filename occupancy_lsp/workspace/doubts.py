"""What a name may be when a build script is read: one value, several under doubts, or unknown.

A doubt is a condition whose answer nobody knows, with one of its answers: (its number, which branch).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Generic, TypeVar

from occupancy_lsp.core.dataclass import dataclass

_S = TypeVar("_S")
Doubts = frozenset[tuple[int, int]]
NONE: Doubts = frozenset()
MOST_ITEMS = 5_000  # of a list
MOST_TEXT = 10_000  # characters


class TooMuch(Exception):
    """More work than the build files of people take."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """`text`: the expression that nobody can evaluate. `there`: it is surely something, not None or empty."""

    text: str = ""
    there: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    value: object
    doubts: Doubts = NONE


@dataclass(slots=True)
class Items:
    """A list; what was put into it, each under its doubts."""

    items: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class History:
    """What a name or key was set to, in order."""

    said: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class Table:
    """A dictionary with texts for keys."""

    keys: dict[str, History] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Several:
    """One of these, each under its doubts."""

    values: tuple[Item, ...]


def excludes(one: Doubts, other: Doubts) -> bool:
    """Whether both cannot hold."""
    answers = dict(one)
    return any(answers.get(number, branch) != branch for number, branch in other)


def resolved(said: Sequence[Item], doubts: Doubts) -> object:
    """The value under the doubts: the last that surely was set, unless a later one may have been."""
    possible: list[Item] = []
    for it in reversed(said):
        if not excludes(it.doubts, doubts):
            possible.append(it)
            if it.doubts <= doubts:
                break
    if not possible:
        return Unknown()
    return possible[0].value if len(possible) == 1 else Several(tuple(possible))


def items_of(value: object, doubts: Doubts) -> list[Item]:
    """Of a list, or of several: their items, each under the doubts of its list as well."""
    if isinstance(value, Items):
        return [Item(it.value, it.doubts | doubts) for it in value.items] if doubts else [*value.items]
    if isinstance(value, tuple):
        return [Item(it, doubts) for it in value]
    if isinstance(value, Several):
        return [it for one in value.values for it in items_of(one.value, one.doubts | doubts)]
    return [Item(value if isinstance(value, Unknown) else Unknown(), doubts)]


def is_true(value: object) -> bool | None:
    """None: unknown."""
    if isinstance(value, Unknown):
        return True if value.there else None
    if isinstance(value, Several):
        said = {is_true(it.value) for it in value.values}
        return said.pop() if len(said) == 1 else None
    if isinstance(value, Items):
        return any(not it.doubts for it in value.items) or (None if value.items else False)
    if isinstance(value, Table):
        return bool(value.keys)
    return bool(value)


class Branching(ABC, Generic[_S]):
    """Follows statements in order. `doubts`: those under which they run; `number`: of the last doubt."""

    def __init__(self) -> None:
        self.doubts: Doubts = NONE
        self.number = 0

    @abstractmethod
    def run(self, body: Sequence[_S]) -> bool:
        """Whether it surely ends before its end."""

    @abstractmethod
    def fails(self, body: Sequence[_S]) -> bool:
        """Whether it ends with an error, so that a build does not come there."""

    def choose(self, said: bool | None, body: Sequence[_S], otherwise: Sequence[_S]) -> bool:
        """Follow the branch that is taken; both, each under a doubt, where the answer is unknown. As `run`."""
        if said is None and (self.fails(body) or self.fails(otherwise)):
            said = not self.fails(body)
        if said is not None:
            return self.run(body if said else otherwise)
        self.number += 1
        number, doubts = self.number, self.doubts
        ended = []
        for branch, part in enumerate((body, otherwise)):
            self.doubts = doubts | {(number, branch)}
            ended.append(self.run(part))
        self.doubts = doubts
        if ended[0] != ended[1]:  # what follows is reached by one of them alone
            self.doubts = doubts | {(number, 1 if ended[0] else 0)}
        return all(ended)

    def each(self, items: Sequence[Item]) -> Iterator[object]:
        """The values that a loop goes over; what is done for one is under its doubts, and may be left out or done
        several times where it is unknown."""
        doubts = self.doubts
        for item in items[:MOST_ITEMS]:
            self.doubts = doubts | item.doubts
            if isinstance(item.value, Unknown):
                self.number += 1
                self.doubts |= {(self.number, 0)}
            yield item.value
        self.doubts = doubts
