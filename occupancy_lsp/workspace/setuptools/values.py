"""What a name may be when a script is read: one value, several under doubts, or unknown.

A doubt is a condition whose answer nobody knows, with one of its answers: (its number, which branch).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass

Doubts = frozenset[tuple[int, int]]
NONE: Doubts = frozenset()


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
        return [Item(it.value, it.doubts | doubts) for it in value.items]
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
