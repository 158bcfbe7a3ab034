"""A file as part of each of its translation units: what its names mean there, and what its items say, in step with its
edits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from functools import partial
from itertools import chain, groupby
from operator import attrgetter

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.defects import attempt
from occupancy_lsp.core.once import Once
from occupancy_lsp.core.query import Budget, Queries
from occupancy_lsp.core.sequences import shared_ends
from occupancy_lsp.source.incremental.item_index import ItemIndex
from occupancy_lsp.source.incremental.item_resolution import (
    ResolvedItem,
    resolve_item,
    resolve_item_beyond_budget,
)
from occupancy_lsp.source.kernels.kernel import resolve_instances_ahead
from occupancy_lsp.source.kernels.moves_within_item import item_slots_of_places_in
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lex.work_limits import MOST_OF_FILE
from occupancy_lsp.source.lower.header_symbols import (
    PlacedItemRun,
    gather_file_symbols,
    gather_header_symbols,
    with_added_symbols,
)
from occupancy_lsp.source.lower.item_facts import Conditions
from occupancy_lsp.source.lower.symbol_table import LocatedItem, SymbolTable, gather_symbols
from occupancy_lsp.source.sema.translation_unit import UnitContext
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.undefined_macros import undefined_macros_hiding

_MOST_KNOWN = 200_000  # answers about one file
_BUDGET: Budget[ResolvedItem] = Budget(attrgetter("steps"), MOST_OF_FILE)
_Resolve = Callable[[Environment, LocatedItem], ResolvedItem]


@dataclass(slots=True)
class OwnFacts:
    """What the file's own items say, gathered: the same for all translation units that it is part of."""

    matter: Sequence[LocatedItem] = ()
    names: SymbolTable = field(default_factory=SymbolTable)

    def update(self, matter: Sequence[LocatedItem], edited: bool) -> None:
        """`edited`: it is likely that other items come. Else what nobody asks for is not read."""
        gone, came = _removed_and_added(self.matter, matter)
        if (gone or came) and edited:
            exchanged = self.names.exchanged(gone, came) if self.matter else None
            self.names = exchanged or gather_symbols(matter)
        elif gone or came:
            self.names = gather_file_symbols(matter)
        self.matter = matter


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """How the file is read. `macros`: of the device; `two_passes`: the text has macros that hosts' pass lacks."""

    dialect: Dialect
    macros: Mapping[str, int]
    two_passes: bool


@dataclass(frozen=True, slots=True)
class UnitItems:
    """Those of a file as they stand in a unit. `names`: what those say that matter."""

    matter: Sequence[LocatedItem]
    speaking: Sequence[LocatedItem]
    names: SymbolTable


@dataclass(frozen=True, slots=True, eq=False)
class KnownItems:
    """What a file's items say in a unit. `spoken`: the numbers of those."""

    env: Environment
    spoken: Sequence[int]
    items: Sequence[ResolvedItem]

    def holds(self, env: Environment, spoken: Sequence[int]) -> bool:
        return self.env is env and self.spoken is spoken


@dataclass(slots=True)
class Inclusion:
    """The file's items where a unit includes it within `namespaces`, or where the file includes itself: those under a
    condition of `passed` are not read then."""

    namespaces: tuple[str, ...]
    passed: Set[tuple[str, bool]]
    own: OwnFacts = field(default_factory=OwnFacts)
    _known: dict[int, tuple[LocatedItem, LocatedItem | None]] = field(default_factory=dict)

    def located_in_unit(self, placed: LocatedItem) -> LocatedItem | None:
        """The item there; None: it is not read."""
        known = self._known.get(placed.item)
        if known is None or known[0] is not placed:
            known = self._known[placed.item] = placed, self._locate(placed)
        return known[1]

    def _locate(self, placed: LocatedItem) -> LocatedItem | None:
        if not self.passed.isdisjoint(placed.conditions):
            return None
        return placed._replace(namespaces=(*self.namespaces, *placed.namespaces))

    def file_items_in_unit(self, now: ItemIndex, edited: bool) -> UnitItems:
        matter = [*filter(None, map(self.located_in_unit, now.matter))]
        self.own.update(matter, edited)
        return UnitItems(matter, [*filter(None, map(self.located_in_unit, now.speaking))], self.own.names)


@dataclass(slots=True, eq=False)
class UnitContextState:
    """The file as part of one translation unit."""

    env: Environment | None = None
    setting: ReadingSettings | None = None
    assumed: frozenset[str] = frozenset()  # macros that may be defined, else kernels would never be compiled
    outer: tuple[UnitContext, SymbolTable] | None = None
    once: SymbolTable = field(default_factory=SymbolTable)  # what headers say where they are included first
    again: frozenset[int] = frozenset()  # which of the unit's are among its names
    items: UnitItems = field(default_factory=lambda: UnitItems((), (), SymbolTable()))
    inclusion: Inclusion | None = None  # where the items stand otherwise than in the file
    followed: int = 0  # of the items that speak, the first so many that the budget of steps was enough for
    known: KnownItems | None = None  # what was found out of the items together with other units

    def update(
        self, setting: ReadingSettings, around: UnitContext, placement: ItemIndex, own: SymbolTable, edited: bool
    ) -> None:
        """Bring the unit's names up to date. `own`: what those items say that matter now."""
        in_passes = setting.two_passes or around.two_passes
        setting = replace(setting, two_passes=in_passes and setting.dialect.predefined.two_passes)
        if self.outer is None or self.outer[0] is not around:
            self.once = gather_header_symbols(around.runs)
            self.outer, self.env, self.again = (around, self.once), None, frozenset()
            stands = around.namespaces or around.passed
            self.inclusion = Inclusion(around.namespaces, around.passed) if stands else None
        plain = UnitItems(placement.matter, placement.speaking, own)
        now = self.inclusion.file_items_in_unit(placement, edited) if self.inclusion is not None else plain
        env = self._update_environment(self.outer[1], setting, around, now, edited)
        assumed = self._macros_to_assume_defined(env, around, now)
        if assumed != self.assumed:
            self.assumed, self.outer, self.env, self.again = assumed, (around, self.once), None, frozenset()
            self._update_environment(self.once, setting, around, now, edited)
        self.items = now

    def _macros_to_assume_defined(self, env: Environment, around: UnitContext, now: UnitItems) -> frozenset[str]:
        """The macros that a build out of sight may define, where no command tells of it.

        What headers say where they are included again has no part in it: that hangs on the answer.
        """
        if around.commanded:
            return frozenset()
        apart = self.assumed or around.again
        return undefined_macros_hiding(
            env.with_build_macros_and_headers(around.settable, self.once) if apart else env, now.speaking
        )

    def _update_environment(
        self, outer: SymbolTable, setting: ReadingSettings, around: UnitContext, now: UnitItems, edited: bool
    ) -> Environment:
        if self.env is not None and (self.setting != setting or len(self.env.queries) > _MOST_KNOWN):
            self.env = None
        self.setting = setting
        settable = around.settable | self.assumed if around.settable is not None else None
        own = now.names
        queries = Queries if edited else partial(Once, self._forget_items)
        make = partial(_make_environment, setting, own, settable, around, queries)
        before = self.env.own if self.env is not None else None
        if self.env is None:
            self.env = make(outer)
        else:
            was = self.items
            either = (*_removed_and_added(was.matter, now.matter), *_removed_and_added(was.speaking, now.speaking))
            self.env.set_file_symbols(own, {it.item for it in chain.from_iterable(either)})
        if around.again and not (before and before.definitions is own.definitions and before.macros is own.macros):
            self._include_headers_again(around, make)
        return self.env

    def _include_headers_again(self, around: UnitContext, make: Callable[[SymbolTable], Environment]) -> None:
        """What counts only where earlier #includes do not is gathered once they do not: in most units that is never."""
        while self.outer and self.env and (came := _runs_not_included_before(self.env, around.again) - self.again):
            names = with_added_symbols(self.outer[1], [around.again[it] for it in sorted(came)])
            self.again, self.outer, self.env = self.again | came, (around, names), make(names)

    def _forget_items(self) -> None:
        for it in self.items.matter:
            it.said.forget()

    def may_be_included(self) -> bool:
        """Whether the unit may include the file there, outside of functions and types."""
        assert self.env is not None and self.outer is not None
        around = self.outer[0]
        return not around.inside and self.env.holds(around.conditions, 0) is not False

    def located_in_unit(self, placed: LocatedItem) -> LocatedItem | None:
        """An item of the file as it stands in the unit; None: it is not read there."""
        return self.inclusion.located_in_unit(placed) if self.inclusion is not None else placed

    def may_be_compiled(self, placed: LocatedItem, conditions: Conditions) -> bool:
        """Whether what stands in an item under these conditions may be compiled."""
        assert self.env is not None
        stands = self.located_in_unit(placed)
        return stands is not None and self.env.holds((*stands.conditions, *conditions), stands.order) is not False

    def resolve_in_unit(
        self,
        placed: LocatedItem,
        resolve: _Resolve,
        env: Environment | None = None,
    ) -> ResolvedItem:
        """What an item of the file says there. `env`: its names, if not those of the unit."""
        env = env or self.env
        assert env is not None
        stands = self.located_in_unit(placed)
        return resolve(env, stands) if stands is not None else ResolvedItem()

    def resolved_items(self, now: ItemIndex) -> Sequence[ResolvedItem]:
        """What each item says that speaks."""
        assert self.env is not None
        if self.known is not None and self.known.holds(self.env, now.spoken):
            return self.known.items
        return self.resolve_items(now, self.env)

    def resolve_items(self, now: ItemIndex, env: Environment) -> Sequence[ResolvedItem]:
        """The same, worked out with an environment that has the names of the unit."""
        found = env.queries.each("resolved", now.spoken, partial(self._resolver_of_item, now, env), _BUDGET)
        self.followed = len(found)
        if len(found) == len(now.spoken):
            return found
        rest = now.speaking[len(found) :]
        beyond = env.queries.each(
            "beyond",
            now.spoken[len(found) :],
            lambda index: partial(self.resolve_in_unit, rest[index], resolve_item_beyond_budget, env),
        )
        return [*found, *beyond]

    @property
    def runs(self) -> Sequence[PlacedItemRun]:
        """Those of headers that are among its names."""
        assert self.outer is not None
        around = self.outer[0]
        return (*around.runs, *(around.again[it] for it in sorted(self.again)))

    def how_resolved(self, index: int) -> _Resolve:
        """How it was found out what this one of the items says that speak. After `resolved_items`."""
        return resolve_item if index < self.followed else resolve_item_beyond_budget

    def resolve_items_ahead(self, now: ItemIndex) -> Iterator[None]:
        """Find out what one of them says at each step, and keep it."""
        assert self.env is not None
        spent = 0
        for index, item in enumerate(now.spoken):
            if spent > _BUDGET.most:
                work = partial(self.resolve_in_unit, now.speaking[index], resolve_item_beyond_budget)
                self.env.queries.answer(("beyond", item), work)
            else:
                if not self.env.queries.is_known(("resolved", item)):
                    yield from self.resolve_kernels_ahead(now.speaking[index], self.env)
                spent += self.env.queries.answer(("resolved", item), self._resolver_of_item(now, self.env, index)).steps
            yield

    def resolve_kernels_ahead(self, placed: LocatedItem, env: Environment) -> Iterator[None]:
        """Of an item's kernels, an instance at each step, for later."""
        stands = self.located_in_unit(placed)
        for function in stands.facts.functions if stands is not None else ():
            if stands is not None and function.kernel and self.may_be_compiled(placed, function.conditions):
                steps = resolve_instances_ahead(env, stands, function)
                while attempt(partial(next, steps, True)) is None:
                    yield

    def _resolver_of_item(self, now: ItemIndex, env: Environment, index: int) -> Callable[[], ResolvedItem]:
        return partial(self.resolve_in_unit, now.speaking[index], resolve_item, env)

    def slots_referred_to_by_items(self, now: ItemIndex) -> Sequence[frozenset[int]]:
        """In which slots all that stands which each of those names."""
        env = self.env
        assert env is not None
        self.resolved_items(now)
        rest = now.speaking[self.followed :]
        return [
            *env.queries.each(
                "slots",
                now.spoken[: self.followed],
                lambda index: partial(_slots_referred_to_by, env, now.speaking[index], "resolved", resolve_item),
            ),
            *env.queries.each(
                "slots beyond",
                now.spoken[self.followed :],
                lambda index: partial(_slots_referred_to_by, env, rest[index], "beyond", resolve_item_beyond_budget),
            ),
        ]


def _runs_not_included_before(env: Environment, each: Sequence[PlacedItemRun]) -> frozenset[int]:
    """Those where no #include before is in force."""
    together = groupby(enumerate(each), key=lambda it: it[1].unless)
    return frozenset(index for unless, those in together if env.none_of_conditions_hold(unless) for index, _ in those)


def _make_environment(
    setting: ReadingSettings,
    own: SymbolTable,
    settable: frozenset[str] | None,
    around: UnitContext,
    queries: Callable[[], Queries],
    outer: SymbolTable,
) -> Environment:
    said = around.given, around.commanded, around.unresolved
    made = Environment(setting.dialect, setting.macros, own, outer, settable, *said, queries=queries())
    return made.with_host_pass_added() if setting.two_passes else made


def _removed_and_added(
    was: Sequence[LocatedItem], now: Sequence[LocatedItem]
) -> tuple[Sequence[LocatedItem], Sequence[LocatedItem]]:
    """What is gone, and what came."""
    head, tail = shared_ends((was, now))
    return was[head : len(was) - tail], now[head : len(now) - tail]


def _slots_referred_to_by(env: Environment, placed: LocatedItem, kind: str, resolve: _Resolve) -> frozenset[int]:
    return item_slots_of_places_in(env.queries.answer((kind, placed.item), partial(resolve, env, placed)))
