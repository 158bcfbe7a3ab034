"""The facts of one file, kept in step with its edits: only what an edit can have changed is read again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from occupancy_lsp.syntax.dialects import Dialect
from occupancy_lsp.syntax.directives import Directive, ForDevice, Ignore, read_directives
from occupancy_lsp.syntax.environment import Environment, environment
from occupancy_lsp.syntax.facts import Conditions, Function, ItemFacts
from occupancy_lsp.syntax.fingerprint import Fingerprints
from occupancy_lsp.syntax.items import read_item
from occupancy_lsp.syntax.kernels import (
    Allowed,
    Kernel,
    KernelLaunch,
    in_common,
    resolve_kernel,
    resolve_launch,
    resolve_opt_in,
)
from occupancy_lsp.syntax.names import Names, Standing, gather
from occupancy_lsp.syntax.outline import Item, Outline, after_trivia
from occupancy_lsp.syntax.preprocessor import flatten, follow
from occupancy_lsp.syntax.unit import NOTHING, STEP, Around, Point, points
from occupancy_lsp.syntax.values import Place

_MOST_PENDING = 500  # directives before one kernel; more are no person's
_MOST_KNOWN = 200_000  # answers about one file


@dataclass(frozen=True, slots=True)
class Said:
    """A directive and where it stands."""

    place: Place
    directive: Directive


@dataclass(frozen=True, slots=True)
class Resolved:
    """What one item says once its names are looked up."""

    kernels: tuple[Kernel, ...] = ()
    launches: tuple[KernelLaunch, ...] = ()
    allowed: tuple[Allowed, ...] = ()


@dataclass(frozen=True, slots=True)
class FileFacts:
    """All that the file proves. `said`: each kernel's directives, in the order of `kernels`."""

    kernels: tuple[Kernel, ...]
    launches: tuple[KernelLaunch, ...]
    allowed: tuple[Allowed, ...]
    said: tuple[tuple[Said, ...], ...]
    said_for_file: tuple[Said, ...]
    said_in_vain: tuple[Said, ...]  # no kernel follows
    unread_launches: int


@dataclass(slots=True)
class _Remembered:
    standing: Standing
    env: Environment
    asked: tuple[str, ...]
    meanings: tuple[object, ...]
    resolved: Resolved


def _standing(item: Item, order: int, path: tuple[str, ...], conditions: Conditions, facts: ItemFacts) -> Standing:
    matters = bool(
        facts.definitions
        or facts.types
        or facts.macros
        or facts.arrays
        or facts.undefined
        or facts.packs
        or facts.lends
        or facts.launches
        or facts.prototypes
        or facts.mentions
        or any(_is_asked_for(function) for function in facts.functions)
    )
    speaks = bool(facts.launches or facts.opt_ins or facts.unread_launches or any(f.kernel for f in facts.functions))
    return Standing(item.id, order, path, conditions, facts, matters, speaks)


def _is_asked_for(function: Function) -> bool:
    """Whether other items look at it: of kernels at templates, to tell which instance a launch means."""
    aligned = any(array.dynamic and array.field.alignment for array in function.arrays)
    return not function.kernel or function.template is not None or aligned


class Source:
    def __init__(self, content: bytes, dialect: Dialect) -> None:
        self.dialect = dialect
        self._outline = Outline(content, dialect.kernel)
        self._order: list[Item] = []
        self._items: dict[int, Item] = {}
        self._facts: dict[int, ItemFacts] = {}
        self._past: dict[tuple[str, bytes], ItemFacts] = {}  # of items that the last edits took away
        self._standings: list[Standing] = []
        self._contexts: list[_Context] = []
        self._moved = True  # the items are others since `_stand` looked
        self._fingerprints = Fingerprints(self.item_text)

    def replace(self, content: bytes, start: int, old_end: int, new_end: int) -> None:
        """`content` is the file after its bytes from `start` to `old_end` became those up to `new_end`."""
        self._outline.replace(content, start, old_end, new_end)
        self._moved = True

    def start_of(self, item: int) -> int:
        return self._outline.start_of(item)

    def holds(self, place: Place) -> bool:
        """Whether the place is in this file, not in a header."""
        return place.item in self._items

    def items_between(self, start: int, end: int) -> set[int]:
        """The items that hold some of the text between two offsets."""
        outline = self._outline
        first = max(outline.index_at(start), 0)
        return {item.id for item in outline.items[first : outline.index_at(end) + 1]}

    def item_text(self, item: int) -> bytes:
        return self._items[item].text

    def code_start(self, place: Place) -> int:
        """Where the code at `place` starts, past comments and white space, counted from the item's start."""
        return after_trivia(self._items[place.item].text, place.start)

    def standings(self) -> tuple[Standing, ...]:
        """Of every item, for a file that includes this one."""
        return tuple(self._stand())

    def points(self) -> tuple[Point, ...]:
        """The #includes."""
        return points(self._stand())

    def facts(self, macros: Mapping[str, int], around: Sequence[Around] = (NOTHING,)) -> FileFacts:
        """What the file proves with `macros` set from outside.

        `around`: the translation units that it is part of; facts are what all of them have in common.
        """
        standings = self._stand()
        del self._contexts[len(around) :]
        while len(self._contexts) < len(around):
            self._contexts.append(_Context())
        speaking = [s for s in standings if s.speaks]
        for context, outer in zip(self._contexts, around, strict=True):
            env = context.environment(standings, self.dialect, macros, outer)
            known = context.resolved
            context.resolved = {
                s.item: it
                if (it := known.get(s.item)) is not None and it.env is env and it.standing is s
                else context.resolve(env, s)
                for s in speaking
            }
        if len(self._contexts) == 1:
            remembered = self._contexts[0].resolved
            return _gather(standings, lambda item: remembered[item].resolved)
        return _gather(standings, self._in_common)

    def _in_common(self, item: int) -> Resolved:
        return _common([context.resolved[item].resolved for context in self._contexts])

    def facts_if(self, overrides: Mapping[Place, int]) -> FileFacts:
        """What the file would prove with other numbers at some places. After `facts`."""
        env = self._first().overridden(overrides)
        standings = self._standings
        resolved = {s.item: _resolve_item(env, s) for s in standings if s.speaks}
        return _gather(standings, resolved.__getitem__)

    def _first(self) -> Environment:
        env = self._contexts[0].env
        assert env is not None
        return env

    def fingerprint(self, kernel: Kernel) -> str:
        """Of the kernel's tokens and of what it names in this file, without comments and space. After `facts`."""
        if len(self._fingerprints.known) > 2 * len(self._items):
            self._fingerprints.keep(self._items.keys())
        return self._fingerprints.of(self._first(), self._contexts[0].resolved[kernel.item].standing)

    def _stand(self) -> list[Standing]:
        """Of every item. The usual keystroke changes the inside of one item, and all others stand as before."""
        if not self._moved:
            return self._standings
        self._moved = False
        before, self._order = self._order, list(self._outline.items)
        changed = [i for i, (was, now) in enumerate(zip(before, self._order, strict=False)) if was is not now][:2]
        if len(before) != len(self._order) or len(changed) > 1 or not all(self._swap(before[i], i) for i in changed):
            self._stand_afresh()
        return self._standings

    def _swap(self, gone: Item, at: int) -> bool:
        """Let the item that came take the place of the one that is gone. False: others may stand otherwise then."""
        came, was = self._order[at], self._facts[gone.id]
        facts = self._read(came)
        if gone.kind != "code" or came.kind != "code" or was.branches or facts.branches:
            return False
        self._past = {(gone.kind, gone.text): was}
        del self._items[gone.id], self._facts[gone.id]
        self._items[came.id], self._facts[came.id] = came, facts
        stood = self._standings[at]
        self._standings[at] = _standing(came, stood.order, stood.namespaces, stood.conditions, facts)
        return True

    def _stand_afresh(self) -> None:
        facts = {item.id: self._read(item) for item in self._order}
        gone = [item for item in self._items.values() if item.id not in facts]
        if gone:
            # Undoing an edit, or closing a brace, finds what was known before it.
            self._past = {(item.kind, item.text): self._facts[item.id] for item in gone}
        self._items = {item.id: item for item in self._order}
        self._facts = facts
        self._standings = list(_standings(self._order, facts, {s.item: s for s in self._standings}))

    def _read(self, item: Item) -> ItemFacts:
        return self._facts.get(item.id) or self._past.get((item.kind, item.text)) or read_item(item, self.dialect)


@dataclass(slots=True)
class _Context:
    """What is remembered of the file as part of one translation unit."""

    env: Environment | None = None
    key: tuple[object, ...] = ()
    outer: tuple[Around, Names] | None = None
    resolved: dict[int, _Remembered] = field(default_factory=dict)

    def environment(
        self, standings: list[Standing], dialect: Dialect, macros: Mapping[str, int], around: Around
    ) -> Environment:
        """The unit's names; the same object as long as nothing that matters to other items changed."""
        if self.outer is None or self.outer[0] is not around:
            self.outer = around, gather(around.standings)
        matter = [s for s in standings if s.matters]
        key = (id(self.outer[1]), tuple(sorted(macros.items())), *map(id, matter))
        if self.env is not None and len(self.env.known) > _MOST_KNOWN:
            self.env.known.clear()  # mostly of items that an edit took away
        if self.env is None or key != self.key:
            self.env, self.key = environment(matter, dialect, macros, self.outer[1], around.settable), key
        return self.env

    def resolve(self, env: Environment, standing: Standing) -> _Remembered:
        known = self.resolved.get(standing.item)
        if (
            known is not None
            and known.standing is standing
            and known.env.file_wide() == env.file_wide()
            and known.meanings == tuple(map(env.meaning, known.asked))
        ):
            return _Remembered(standing, env, known.asked, known.meanings, known.resolved)
        env.asked.clear()
        resolved = _resolve_item(env, standing)
        asked = tuple(env.asked)
        return _Remembered(standing, env, asked, tuple(map(env.meaning, asked)), resolved)


def _common(found: Sequence[Resolved]) -> Resolved:
    """What an item says in all of several translation units."""
    kernels: dict[Place, list[Kernel]] = {}
    for one in found:
        for kernel in one.kernels:
            kernels.setdefault(kernel.name_place, []).append(kernel)
    launches: dict[Place, list[KernelLaunch]] = {}
    for one in found:
        for launch in one.launches:
            launches.setdefault(launch.place, [])
            launches[launch.place] += [] if launch in launches[launch.place] else [launch]
    return Resolved(
        tuple(in_common(each) for each in kernels.values()),
        tuple(launch for each in launches.values() for launch in each),
        tuple(dict.fromkeys(it for one in found for it in one.allowed)),
    )


def _standings(items: list[Item], facts: Mapping[int, ItemFacts], known: Mapping[int, Standing]) -> Iterator[Standing]:
    namespaces: list[tuple[str, ...]] = []
    path: tuple[str, ...] = ()
    stack: list[list[tuple[str, bool]]] = []
    conditions: Conditions = ()
    for order, item in enumerate(items):
        said = facts[item.id]
        if item.kind == "close" and namespaces:
            namespaces.pop()
            path = tuple(name for names in namespaces for name in names)
        before = known.get(item.id)
        same = before is not None and (before.order, before.namespaces, before.conditions) == (
            order * STEP,
            path,
            conditions,
        )
        yield before if same and before is not None else _standing(item, order * STEP, path, conditions, said)
        if item.kind == "open":
            namespaces.append(said.opened)
            path = tuple(name for names in namespaces for name in names)
        if said.branches:
            for event in said.branches:
                follow(stack, event)
            conditions = flatten(stack)


def _resolve_item(env: Environment, standing: Standing) -> Resolved:
    try:
        return _resolved(env, standing)
    except RecursionError:  # text that is nested beyond reason proves nothing
        return Resolved()


def _resolved(env: Environment, standing: Standing) -> Resolved:
    if env.holds(standing.conditions, standing.order) is False:
        return Resolved()
    order, facts = standing.order, standing.facts
    return Resolved(
        tuple(
            resolve_kernel(env, standing, function)
            for function in facts.functions
            if function.kernel and env.holds(function.conditions, order) is not False
        ),
        tuple(
            found
            for launch in facts.launches
            if env.holds(launch.conditions, order) is not False
            for found in resolve_launch(env, standing, launch)
        ),
        tuple(resolve_opt_in(env, standing, opt_in) for opt_in in facts.opt_ins),
    )


def _gather(standings: list[Standing], resolved: Callable[[int], Resolved]) -> FileFacts:
    kernels: list[Kernel] = []
    launches: list[KernelLaunch] = []
    allowed: list[Allowed] = []
    said: list[tuple[Said, ...]] = []
    for_file: list[Said] = []
    pending: list[Said] = []
    unread = 0
    for standing in standings:
        facts = standing.facts
        if not standing.speaks and not facts.comments:
            continue
        for comment in facts.comments if facts.comments and len(pending) < _MOST_PENDING else ():
            for directive in read_directives(comment):
                place = Place(standing.item, directive.span.start, directive.span.end)
                (for_file if _is_for_file(directive) else pending).append(Said(place, directive))
        if not standing.speaks:
            continue
        here = resolved(standing.item)
        if here.launches:
            launches += here.launches
        if here.allowed:
            allowed += here.allowed
        unread += facts.unread_launches
        for kernel in here.kernels:
            kernels.append(kernel)
            if not pending:
                said.append(())
                continue
            later = [it for it in pending if it.place.item == standing.item and it.place.start >= kernel.body.end]
            said.append(tuple(pending[: len(pending) - len(later)]))
            pending = later
    return FileFacts(
        tuple(kernels),
        tuple(launches),
        tuple(allowed),
        tuple(said),
        tuple(for_file),
        tuple(pending),
        unread,
    )


def _is_for_file(directive: Directive) -> bool:
    return isinstance(directive, ForDevice) or (isinstance(directive, Ignore) and directive.whole_file)
