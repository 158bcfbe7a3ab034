"""What stands around a file's own items in one translation unit: the headers it includes, or the file that includes it.

Order numbers say what comes first: own items stand at least `STEP` apart above 0, a header's items lie between the item
that includes it and the next, and what an includer says before or after the file lies below 0 or above all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, fields
from itertools import groupby, pairwise
from operator import attrgetter

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.header_symbols import ItemRun, PlacedItemRun
from occupancy_lsp.source.lower.item_facts import AbsentHeader, Conditions, Include
from occupancy_lsp.source.lower.symbol_table import LocatedItem

STEP = 1 << 24
_FIRST, _BEFORE, _AFTER = -(1 << 60), -(1 << 59), 1 << 60
_MOST_ITEMS = 200_000  # of one unit, fewer than `STEP`; what is beyond them is not seen
_BEFORE_FILE = _BEFORE + _MOST_ITEMS  # what comes right before a header that the unit includes
_DEEPEST = 40
_MOST_READINGS = 4  # of one header, each under other conditions
_MOST_INCLUSIONS = 16  # of one file in a unit, each with what its macros mean there
_MOST_OPEN = 2  # times that a file is being read: it may include itself
_ONCE = regex(rb"^[ \t]*#[ \t]*pragma[ \t]+once\b", re.MULTILINE)
_GUARD = regex(r"!defined\((\w+)\)")


@dataclass(frozen=True, slots=True)
class IncludePoint:
    """An #include and where it stands."""

    include: Include
    order: int
    namespaces: tuple[str, ...]
    conditions: Conditions


_Around = tuple[tuple[str, ...], Conditions]
_Part = tuple[_Around, tuple[Include, ...], ItemRun]
_Unless = tuple[tuple[Conditions, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class IncludedFile:
    """A file as others include it. `once`: including it again changes nothing. `path` is its identity.

    `by_device`: what it says may depend on the device; `two_passes`: on whether hosts' code is compiled. `telling`:
    what includers hear of, in parts: what is around, the #includes there, and the items that follow them; `again`:
    those parts that they hear of once more where they include it again; `directives`: what all of these do to macros.
    `guards`: the conditions of its include guards; `passed`: those that do not hold any more where it includes itself.
    """

    path: str
    placed_items: tuple[LocatedItem, ...]
    once: bool
    by_device: bool
    two_passes: bool = False
    telling: tuple[_Part, ...] = field(init=False)
    again: tuple[_Part, ...] = field(init=False)
    directives: tuple[_Part, ...] = field(init=False)
    guards: frozenset[tuple[str, bool]] = field(init=False)
    passed: frozenset[tuple[str, bool]] = field(init=False)

    def __post_init__(self) -> None:
        telling = [it for it in self.placed_items if it.matters or it.includes]
        parts, guards = tuple(_include_parts(telling)), _include_guards(telling)
        outside = (it for it in parts if guards.isdisjoint(it[0][1]))
        object.__setattr__(self, "telling", parts)
        object.__setattr__(self, "again", () if self.once else tuple(outside))
        object.__setattr__(
            self, "directives", tuple((it[0], it[1], _macro_directives_only(it[2])) for it in self.again)
        )
        object.__setattr__(self, "guards", guards)
        object.__setattr__(self, "passed", _self_inclusion_guards(telling, self.path))

    @property
    def has_effect_when_repeated(self) -> bool:
        """Whether its own items stand in the unit once more where it is included again."""
        return bool(self.again) or not (self.once or self.guards)


def _include_parts(telling: Sequence[LocatedItem]) -> Iterable[_Part]:
    starts = [at for at, it in enumerate(telling) if not at or it.includes or it[2:4] != telling[at - 1][2:4]]
    for start, end in pairwise([*starts, len(telling)]):
        first, items = telling[start], tuple(it for it in telling[start:end] if it.matters)
        yield (first.namespaces, first.conditions), first.includes, ItemRun(items)


def _self_inclusion_guards(telling: Sequence[LocatedItem], path: str) -> frozenset[tuple[str, bool]]:
    """Each `#ifndef X` in which the file includes itself where X is defined."""
    name = path.rpartition("/")[2]
    own = [it for it in telling if any(include.path.rpartition("/")[2] == name for include in it.includes)]
    around = {condition for it in own for condition in it.conditions if condition[1] and _GUARD.fullmatch(condition[0])}
    return frozenset(it for it in around if all(_is_guard_defined_before(it, telling, here.order) for here in own))


def _is_guard_defined_before(condition: tuple[str, bool], telling: Sequence[LocatedItem], order: int) -> bool:
    """Whether an item under `#ifndef X` defines X before that, and none takes it back behind it."""
    guard = _GUARD.fullmatch(condition[0])
    name = guard[1] if guard is not None else ""
    changes = [it for it in telling if it.order < order and (name in it.names.defines or name in it.undefined)]
    last = changes[-1] if changes else None
    return last is not None and name in last.names.defines and last.conditions[-1:] == (condition,)


def _macro_directives_only(stretch: ItemRun) -> ItemRun:
    """The items among these that are about macros alone."""
    return ItemRun(tuple(it for it in stretch.items if _is_about_macros_only(it)))


def _is_about_macros_only(placed: LocatedItem) -> bool:
    names = placed.names
    about_macros = names.macros or names.defines or names.undefined
    return bool(about_macros) and not (names.functions or names.types or names.prototypes or names.memory.arrays)


# The file that an #include in the file `path` means; None: it is not in sight.
Resolve = Callable[[Include, str], IncludedFile | None]


def has_pragma_once(content: bytes) -> bool:
    return b"once" in content and _ONCE.search(content) is not None


def _include_guards(telling: Sequence[LocatedItem]) -> frozenset[tuple[str, bool]]:
    """Each `#ifndef X` that begins with a definition of X, which nothing here takes back."""
    undefined = {name for placed in telling for name in placed.undefined}
    first: dict[Conditions, LocatedItem] = {}
    for placed in telling:
        first.setdefault(placed.conditions, placed)
    return frozenset(
        around[-1] for around, it in first.items() if around and _is_include_guard(around[-1], it, undefined)
    )


def _is_include_guard(condition: tuple[str, bool], first: LocatedItem, undefined: Set[str]) -> bool:
    text, wanted = condition
    guard = _GUARD.fullmatch(text) if wanted else None
    if guard is None or guard[1] in undefined:
        return False
    return any(it.name == guard[1] and it.kind == "macro" and not it.conditions for it in first.facts.definitions)


def include_points(placed_items: Sequence[LocatedItem]) -> tuple[IncludePoint, ...]:
    return tuple(
        IncludePoint(include, s.order, s.namespaces, (*s.conditions, *include.conditions))
        for s in placed_items
        for include in s.includes
    )


_Seen = dict[str, _Unless]
_Stop = tuple[int, _Seen, _Around, frozenset[tuple[str, bool]], bool, int]


@dataclass(slots=True)
class _Expansion:
    """`found`: what matters of the items that came so far. `again`: items of a header that is read once, where it is
    included again: they count if no #include before is in force. Its first place under weaker conditions would not do:
    what stands between the two does not see the header, and what the header says may hang on macros defined there.

    `before_stop`: how many were found before `stop`, what was seen, what is around its #include, which conditions in it
    do not hold, and the order. `order`: the number of the item that comes next. `seen`: the files; of one that is read
    once, and only under conditions so far, what each #include stands under besides guards, and its order. `open`: the
    files that are being read; `scopes`: the namespaces in which files are included.
    """

    resolve: Resolve
    stop: str  # a file that is left out; what follows it counts as after
    passing: int = 0  # how often it is passed over before that
    stops: int = 0  # how often it is included
    seen: _Seen = field(default_factory=dict)
    guards: set[tuple[str, bool]] = field(default_factory=set)  # of the files seen
    found: list[PlacedItemRun] = field(default_factory=list)
    again: list[PlacedItemRun] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    scopes: dict[str, set[tuple[str, ...]]] = field(default_factory=dict)
    inside: int = 0
    before_stop: _Stop | None = None
    unresolved: set[AbsentHeader] = field(default_factory=set)
    by_device: bool = False
    two_passes: bool = False
    items: int = 0
    order: int = _BEFORE

    def include(
        self, include: Include, text: IncludedFile | None, around: _Around, depth: int, unless: _Unless = ()
    ) -> None:
        """The items that it brings where it stands. `text`: the file that it means."""
        if text is None:
            self.unresolved.add((around[1], self.order))
            return
        if self.open.count(text.path) >= _MOST_OPEN:
            return
        self.record_dependence_flags(text)
        self.scopes.setdefault(text.path, set()).add(around[0])
        self.inside += include.inside
        self.read(text, around, depth, unless)
        self.inside -= include.inside

    def read(self, text: IncludedFile, around: _Around, depth: int, unless: _Unless) -> None:
        """What the file says there that it has not said before."""
        before = self.seen.get(text.path)
        telling = text.telling
        if before is None:
            self.guards |= text.guards
            self.seen[text.path] = (
                () if text.again or text.path == self.stop else self.conditions_besides_guards(around[1])
            )
        elif _may_be_unread_under_conditions(before, around[1]):
            unless = (*unless, *before)
            now = self.conditions_besides_guards(around[1])
            self.seen[text.path] = (*before, *now) if now else ()
        else:
            telling = text.again
        if text.path != self.stop:
            self.add_items_of_file(text, telling, around, depth, unless)
        elif not self.stops or text.has_effect_when_repeated:
            self.record_left_out_inclusion(text, around, depth)

    def record_left_out_inclusion(self, text: IncludedFile, around: _Around, depth: int) -> None:
        """Note that the file which is left out is included here; what it does to macros counts where it is not the
        inclusion in question."""
        chosen = self.stops == self.passing
        self.stops += 1
        count = len(self.found)
        if chosen:
            passed = text.passed if text.path in self.open else frozenset[tuple[str, bool]]()
            self.before_stop = count, {**self.seen}, around, passed, bool(self.inside), self.order
        self.add_items_of_file(text, text.directives, around, depth)
        if chosen:
            del self.found[count:]
            self.order = _AFTER

    def record_dependence_flags(self, text: IncludedFile) -> None:
        """Take note of what the text says may depend on."""
        self.by_device = self.by_device or text.by_device
        self.two_passes = self.two_passes or text.two_passes

    def conditions_besides_guards(self, conditions: Conditions) -> _Unless:
        """None where it stands under guards alone."""
        under = tuple(it for it in conditions if it not in self.guards)
        return ((under, self.order),) if under else ()

    def add_items_of_file(
        self, text: IncludedFile, telling: Sequence[_Part], around: _Around, depth: int, unless: _Unless = ()
    ) -> None:
        passed = text.passed if text.path in self.open else frozenset[tuple[str, bool]]()
        self.open.append(text.path)
        self.add_parts(text.path, [it for it in telling if passed.isdisjoint(it[0][1])], around, depth, unless)
        self.open.pop()

    def add_parts(self, path: str, telling: Sequence[_Part], around: _Around, depth: int, unless: _Unless) -> None:
        for (namespaces, conditions), includes, stretch in telling:
            inside = (*around[0], *namespaces), (*around[1], *conditions)
            for include in includes:
                if self.items >= _MOST_ITEMS:
                    return
                self.items += 1
                text = self.resolve(include, path) if depth + 1 < _DEEPEST else None
                stops = text is not None and text.path == self.stop
                if text is not None and self.seen.get(text.path) == () and not text.again and not stops:  # as mostly
                    self.record_dependence_flags(text)
                    continue
                there = (inside[0], (*inside[1], *include.conditions)) if include.conditions else inside
                self.include(include, text, there, depth + 1, unless)
            if stretch.items:
                self.append_item_run(stretch, inside, unless)

    def append_item_run(self, stretch: ItemRun, around: _Around, unless: _Unless) -> None:
        room = _MOST_ITEMS - self.items
        if len(stretch.items) > room:
            stretch = ItemRun(stretch.items[:room])
        (self.again if unless else self.found).append(PlacedItemRun(stretch, self.order, *around, unless))
        self.order += len(stretch.items)
        self.items += len(stretch.items)


def _may_be_unread_under_conditions(before: _Unless, conditions: Conditions) -> bool:
    """Whether a header may not have been read yet where these hold."""
    if not 0 < len(before) < _MOST_READINGS:
        return False
    return not any(all(it in conditions for it in under) for under, _ in before)


@dataclass(frozen=True, slots=True, eq=False)
class UnitContext:
    """`runs`: what its headers say. `unresolved`: headers that are not in sight. `files`: those that are. `again`: what
    may count besides. `scopes`: the namespaces in which headers are included, of those that are within any.

    `settable`: the macros that the build may define besides; None: any. `specialising`: functions of files that are not
    read with this one with which a kernel has more threads than are asked for.
    """

    runs: tuple[PlacedItemRun, ...]
    unresolved: frozenset[AbsentHeader]
    files: frozenset[str]
    settable: frozenset[str] | None = None
    by_device: bool = False  # what the headers say may depend on the device
    specialising: frozenset[str] = frozenset()
    again: tuple[PlacedItemRun, ...] = ()
    two_passes: bool = False  # or on whether hosts' code is compiled
    commanded: bool = False  # the command that compiles it says which macros are defined
    scopes: Mapping[str, frozenset[tuple[str, ...]]] = field(default_factory=dict)
    namespaces: tuple[str, ...] = ()  # in which it is included
    conditions: Conditions = ()  # under which it is
    given: frozenset[str] = frozenset()  # the macros that hosts or builds may give; "": one that is not known
    inside: bool = False  # a function, an enumeration or a type: what stands there is at no file level
    passed: frozenset[tuple[str, bool]] = frozenset()  # those in the file that do not hold, as it includes itself

    @property
    def kernels(self) -> frozenset[str]:
        """The names of those that its headers define."""
        return frozenset[str]().union(*(it.stretch.kernels for it in self.runs))

    @property
    def prototypes(self) -> frozenset[str]:
        """The names of functions that its headers declare."""
        return frozenset[str]().union(*(it.stretch.item_indices_by_name.get("prototypes", ()) for it in self.runs))

    def items_declaring_kernel(self, kernel: str) -> Iterator[LocatedItem]:
        """The items of headers that define or declare one of that name."""
        return (run.item_at(index) for run in self.runs for index in run.stretch.items_declaring_kernel(kernel))

    def bears(self, name: str, *senses: str) -> bool:
        """Whether its headers say something of the name in one of these senses."""
        return any(run.stretch.has_name(name, *senses) for run in self.runs)


NOTHING = UnitContext((), frozenset(), frozenset())


def have_same_content(one: UnitContext, other: UnitContext) -> bool:
    """Quick where both were made from the same texts: equal parts are the same objects then."""
    return all(getattr(one, it.name) == getattr(other, it.name) for it in fields(UnitContext))


def context_of_root(path: str, own: Sequence[IncludePoint], resolve: Resolve) -> UnitContext:
    """Of a file that is a translation unit of its own."""
    expansion = _Expansion(resolve, "", open=[path])
    expansion.seen[path] = ()
    found = _expand_own_includes(path, own, expansion)
    files = frozenset(expansion.seen.keys() - {path})
    unresolved, again = frozenset(expansion.unresolved), tuple(expansion.again)
    by_device, two_passes = expansion.by_device, expansion.two_passes
    scopes = _namespaces_of_includes(expansion)
    return UnitContext(
        tuple(found), unresolved, files, None, by_device, again=again, two_passes=two_passes, scopes=scopes
    )


def contexts_of_header(
    path: str, own: Sequence[IncludePoint], root: IncludedFile, resolve: Resolve
) -> tuple[UnitContext, ...]:
    """Of a file as `root` includes it, each time that it does: its macros may mean something else then."""
    found: list[UnitContext] = []
    count = 1
    while len(found) < min(count, _MOST_INCLUSIONS):
        expansion = _Expansion(resolve, path, len(found))
        expansion.seen[root.path] = ()
        expansion.guards |= root.guards
        expansion.add_items_of_file(root, root.telling, ((), ()), 0)
        if expansion.before_stop is None:
            break
        found.append(_context_of_inclusion(path, own, root, expansion, expansion.before_stop))
        count = expansion.stops
    return tuple(found)


def _namespaces_of_includes(expansion: _Expansion) -> Mapping[str, frozenset[tuple[str, ...]]]:
    return {path: frozenset(them) for path, them in expansion.scopes.items() if any(them)}


def _context_of_inclusion(
    path: str, own: Sequence[IncludePoint], root: IncludedFile, expansion: _Expansion, before: _Stop
) -> UnitContext:
    resolve = expansion.resolve
    count, seen_before, around, passed, inside, stop = before
    seen = {**seen_before, path: (), root.path: ()}
    inner = _Expansion(resolve, "", seen=seen, guards=expansion.guards, open=[root.path, path])
    between = _expand_own_includes(path, own, inner)
    found = (*expansion.found[:count], *between, *expansion.found[count:])
    steps = _BEFORE_FILE - stop
    return UnitContext(
        tuple(_later_run(it, steps) for it in found),
        frozenset(_later(expansion.unresolved | inner.unresolved, steps)),
        frozenset((expansion.seen.keys() | inner.seen.keys()) - {path}),
        None,
        expansion.by_device or inner.by_device or root.by_device,
        again=tuple(_later_run(it, steps) for it in (*expansion.again, *inner.again)),
        two_passes=expansion.two_passes or inner.two_passes or root.two_passes,
        scopes=_namespaces_of_includes(expansion),
        namespaces=around[0],
        conditions=around[1],
        passed=passed,
        inside=inside,
    )


def _later_run(run: PlacedItemRun, steps: int) -> PlacedItemRun:
    """The same, so many orders later if it stands before the file. Thus what comes right before the file has the same
    orders in all units, whatever comes before that."""
    order = run.order + steps if run.order < 0 else run.order
    return PlacedItemRun(run.stretch, order, run.namespaces, run.conditions, tuple(_later(run.unless, steps)))


def _later(each: Iterable[tuple[Conditions, int]], steps: int) -> Iterator[tuple[Conditions, int]]:
    return ((conditions, order + steps if order < 0 else order) for conditions, order in each)


def _expand_own_includes(path: str, own: Sequence[IncludePoint], expansion: _Expansion) -> Sequence[PlacedItemRun]:
    for point in own:
        expansion.order = point.order + 1
        text = expansion.resolve(point.include, path)
        expansion.include(point.include, text, (point.namespaces, point.conditions), 0)
    return expansion.found


def runs_before_file(placed_items: Sequence[LocatedItem]) -> tuple[PlacedItemRun, ...]:
    """Before everything else of the unit."""
    found: list[PlacedItemRun] = []
    order = _FIRST
    for around, items in groupby(placed_items, key=attrgetter("namespaces", "conditions")):
        stretch = ItemRun(tuple(items))
        found.append(PlacedItemRun(stretch, order, *around))
        order += len(stretch.items)
    return tuple(found)
