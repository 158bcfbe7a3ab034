"""What stands around a file's own items in one translation unit: the headers it includes, or the file that includes it.

Order numbers say what comes first: own items stand at least `STEP` apart above 0, a header's items lie between the item
that includes it and the next, and what an includer says before or after the file lies below 0 or above all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import field, fields
from itertools import groupby

from occupancy_lsp.core.frozen import dataclass
from occupancy_lsp.source.facts.facts import Conditions, Include
from occupancy_lsp.source.facts.names import PlacedItem

STEP = 1 << 24
_FIRST, _BEFORE, _AFTER = -(1 << 60), -(1 << 59), 1 << 60
_MOST_ITEMS = 200_000  # of one unit; what is beyond them is not seen
_DEEPEST = 40
_ONCE = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+once\b", re.MULTILINE)
_GUARD = re.compile(r"!defined\((\w+)\)")
_new = tuple.__new__  # units have a great many items: they are made as the tuples that they are


@dataclass(frozen=True, slots=True)
class Point:
    """An #include and where it stands."""

    include: Include
    order: int
    namespaces: tuple[str, ...]
    conditions: Conditions


_Around = tuple[tuple[str, ...], Conditions]
_Telling = tuple[PlacedItem, tuple[Include, ...]]
_Together = tuple[_Around, tuple[_Telling, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A file as others include it. `once`: including it again changes nothing. `path` is its identity.

    `by_device`: what it says may depend on the device. `telling`: the items that includers hear of, with what they
    include themselves, by the namespaces and conditions around those that stand together; `again`: those of them that
    they hear of once more where they include it again.
    """

    path: str
    placed_items: tuple[PlacedItem, ...]
    once: bool
    by_device: bool
    telling: tuple[_Together, ...] = field(init=False)
    again: tuple[_Together, ...] = field(init=False)

    def __post_init__(self) -> None:
        each = ((it, it.includes) for it in self.placed_items)
        telling = [it for it in each if it[0].matters or it[1]]
        object.__setattr__(self, "telling", _together(telling))
        object.__setattr__(self, "again", () if self.once else _together(_outside_guards(telling)))


def _together(telling: Iterable[_Telling]) -> tuple[_Together, ...]:
    groups = groupby(telling, lambda it: (it[0].namespaces, it[0].conditions))
    return tuple((around, tuple(those)) for around, those in groups)


# The file that an #include in the file `path` means; None: it is not in sight.
Resolve = Callable[[Include, str], Text | None]


def says_once(content: bytes) -> bool:
    return _ONCE.search(content) is not None


def _outside_guards(telling: Sequence[_Telling]) -> Iterable[_Telling]:
    """Those that stand under no `#ifndef X` that begins with a definition of X, which nothing here takes back."""
    undefined = {name for placed, _ in telling for name in placed.undefined}
    first: dict[Conditions, PlacedItem] = {}
    for placed, _ in telling:
        first.setdefault(placed.conditions, placed)
    guards = {around[-1] for around, it in first.items() if around and _is_guard(around[-1], it, undefined)}
    return (it for it in telling if guards.isdisjoint(it[0].conditions))


def _is_guard(condition: tuple[str, bool], first: PlacedItem, undefined: Set[str]) -> bool:
    text, wanted = condition
    guard = _GUARD.fullmatch(text) if wanted else None
    if guard is None or guard[1] in undefined:
        return False
    return any(it.name == guard[1] and it.kind == "macro" and not it.conditions for it in first.facts.definitions)


def points(placed_items: Sequence[PlacedItem]) -> tuple[Point, ...]:
    return tuple(
        Point(include, s.order, s.namespaces, (*s.conditions, *include.conditions))
        for s in placed_items
        for include in s.includes
    )


@dataclass(slots=True)
class _Expansion:
    """`found`: what matters of the items that came so far. `before_stop`: how many before `stop`, and which files.

    `order`: the number of the item that comes next; none is greater than `last`.
    """

    resolve: Resolve
    stop: str  # a file that is left out; what follows it counts as after
    seen: set[str] = field(default_factory=set)
    found: list[PlacedItem] = field(default_factory=list)
    before_stop: tuple[int, frozenset[str]] | None = None
    unresolved: set[str] = field(default_factory=set)
    by_device: bool = False
    items: int = 0
    order: int = _BEFORE
    last: int = _AFTER << 1

    def include(
        self, include: Include, namespaces: tuple[str, ...], conditions: Conditions, path: str, depth: int
    ) -> None:
        """The items that it brings where it stands in the file `path`."""
        text = self.resolve(include, path) if depth < _DEEPEST else None
        if text is None:
            if include.quoted:
                self.unresolved.add(include.path)
            return
        telling = text.again if text.path in self.seen else text.telling
        self.seen.add(text.path)
        self.by_device = self.by_device or text.by_device
        if text.path != self.stop:
            self.items_of(text.path, telling, namespaces, conditions, depth)
        elif self.before_stop is None:
            self.before_stop = len(self.found), frozenset(self.seen)
            self.order = _AFTER

    def items_of(
        self,
        path: str,
        telling: Sequence[_Together],
        namespaces: tuple[str, ...],
        conditions: Conditions,
        depth: int,
    ) -> None:
        for around, told in telling:
            inside = (*namespaces, *around[0]), (*conditions, *around[1])
            for placed, includes in told:
                if self.items >= _MOST_ITEMS:
                    return
                self.items += 1
                for include in includes:
                    self.include(include, inside[0], (*inside[1], *include.conditions), path, depth + 1)
                if placed.matters:
                    self.found.append(_new(PlacedItem, (placed[0], self.order, *inside, *placed[4:])))
                    self.order += self.order < self.last


@dataclass(frozen=True, slots=True, eq=False)
class UnitContext:
    """`unresolved`: headers that are not in sight. `files`: those that are.

    `settable`: the macros that the build may define besides; None: any. `specialising`: functions of files that are not
    read with this one with which a kernel has more threads than are asked for.
    """

    placed_items: tuple[PlacedItem, ...]
    unresolved: frozenset[str]
    files: frozenset[str]
    settable: frozenset[str] | None = None
    by_device: bool = False  # what the headers say may depend on the device
    specialising: frozenset[str] = frozenset()


NOTHING = UnitContext((), frozenset(), frozenset())


def say_the_same(one: UnitContext, other: UnitContext) -> bool:
    """Quick where both were made from the same texts: equal parts are the same objects then."""
    return all(getattr(one, it.name) == getattr(other, it.name) for it in fields(UnitContext))


def around_root(path: str, own: Sequence[Point], resolve: Resolve) -> UnitContext:
    """Of a file that is a translation unit of its own."""
    expansion = _Expansion(resolve, "")
    expansion.seen.add(path)
    found = _included(path, own, expansion)
    files = frozenset(expansion.seen - {path})
    return UnitContext(tuple(found), frozenset(expansion.unresolved), files, None, expansion.by_device)


def around_header(path: str, own: Sequence[Point], root: Text, resolve: Resolve) -> UnitContext | None:
    """Of a file as `root` includes it; None: it does not."""
    expansion = _Expansion(resolve, path)
    expansion.seen.add(root.path)
    expansion.items_of(root.path, root.telling, (), (), 0)
    if expansion.before_stop is None:
        return None
    count, seen_before = expansion.before_stop
    inner = _Expansion(resolve, "", seen={*seen_before, path, root.path})
    between = _included(path, own, inner)
    return UnitContext(
        (*expansion.found[:count], *between, *expansion.found[count:]),
        frozenset(expansion.unresolved | inner.unresolved),
        frozenset((expansion.seen | inner.seen) - {path}),
        None,
        expansion.by_device or inner.by_device or root.by_device,
    )


def _included(path: str, own: Sequence[Point], expansion: _Expansion) -> Sequence[PlacedItem]:
    for point in own:
        expansion.order, expansion.last = point.order + 1, point.order + STEP - 1
        expansion.include(point.include, point.namespaces, point.conditions, path, 0)
    return expansion.found


def at_the_start(placed_items: Sequence[PlacedItem]) -> tuple[PlacedItem, ...]:
    """Before everything else of the unit."""
    return tuple(it._replace(order=_FIRST + i) for i, it in enumerate(placed_items))
