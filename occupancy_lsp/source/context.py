"""A file as part of each of its translation units: what its names mean there, and what its items say, in step with its
edits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import chain, groupby

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.once import Once
from occupancy_lsp.core.query import Queries
from occupancy_lsp.core.sequences import shared_ends
from occupancy_lsp.source.facts.header_names import Run, gather_headers, with_more
from occupancy_lsp.source.facts.names import Names, PlacedItem, gather
from occupancy_lsp.source.kernels.moved import slots_in
from occupancy_lsp.source.meaning.environment import Environment
from occupancy_lsp.source.meaning.undefined import hiding
from occupancy_lsp.source.meaning.unit import UnitContext
from occupancy_lsp.source.placement import Placement
from occupancy_lsp.source.resolved import Resolved, resolve_item
from occupancy_lsp.source.text.dialects import Dialect

_MOST_KNOWN = 200_000  # answers about one file


@dataclass(slots=True)
class Own:
    """What the file's own items say, gathered: the same for all translation units that it is part of."""

    matter: Sequence[PlacedItem] = ()
    names: Names = field(default_factory=Names)

    def follow(self, matter: Sequence[PlacedItem]) -> None:
        gone, came = _others(self.matter, matter)
        if gone or came:
            exchanged = self.names.exchanged(gone, came) if self.matter else None
            self.names = exchanged or gather(matter)
        self.matter = matter


@dataclass(frozen=True, slots=True)
class Setting:
    """How the file is read. `macros`: of the device; `two_passes`: the text has macros that hosts' pass lacks."""

    dialect: Dialect
    macros: Mapping[str, int]
    two_passes: bool


@dataclass(slots=True)
class Context:
    """The file as part of one translation unit."""

    env: Environment | None = None
    setting: Setting | None = None
    assumed: frozenset[str] = frozenset()  # macros that may be defined, else kernels would never be compiled
    outer: tuple[UnitContext, Names] | None = None
    once: Names = field(default_factory=Names)  # what headers say where they are included first
    again: frozenset[int] = frozenset()  # which of the unit's are among its names
    matter: Sequence[PlacedItem] = ()
    speaking: Sequence[PlacedItem] = ()

    def follow(self, setting: Setting, around: UnitContext, now: Placement, own: Names, edited: bool) -> None:
        """Bring the unit's names up to date. `own`: what those items say that matter `now`."""
        setting = replace(setting, two_passes=setting.dialect.two_passes and (setting.two_passes or around.two_passes))
        if self.outer is None or self.outer[0] is not around:
            self.once = gather_headers(around.runs)
            self.outer, self.env, self.again = (around, self.once), None, frozenset()
        env = self._bring(self.outer[1], setting, around, now, own, edited)
        assumed = self._assumed(env, around, now)
        if assumed != self.assumed:
            self.assumed, self.outer, self.env, self.again = assumed, (around, self.once), None, frozenset()
            self._bring(self.once, setting, around, now, own, edited)
        self.matter, self.speaking = now.matter, now.speaking

    def _assumed(self, env: Environment, around: UnitContext, now: Placement) -> frozenset[str]:
        """The macros that a build out of sight may define, where no command tells of it.

        What headers say where they are included again has no part in it: that hangs on the answer.
        """
        if around.commanded:
            return frozenset()
        apart = self.assumed or around.again
        return hiding(env.within(around.settable, self.once) if apart else env, now.speaking)

    def _bring(
        self, outer: Names, setting: Setting, around: UnitContext, now: Placement, own: Names, edited: bool
    ) -> Environment:
        if self.env is not None and (self.setting != setting or len(self.env.queries) > _MOST_KNOWN):
            self.env = None
        self.setting = setting
        settable = around.settable | self.assumed if around.settable is not None else None
        make = partial(_environment, setting, own, settable, edited)
        before = self.env.own if self.env is not None else None
        if self.env is None:
            self.env = make(outer)
        else:
            either = (*_others(self.matter, now.matter), *_others(self.speaking, now.speaking))
            slots = {it.item: it.slot for it in chain.from_iterable(either)}
            moved = {it for it in slots if it in now.items}
            self.env.become(own, moved, slots.keys() - moved, slots.values())
        if around.again and not (before and before.definitions is own.definitions and before.macros is own.macros):
            self._include_again(around, make)
        return self.env

    def _include_again(self, around: UnitContext, make: Callable[[Names], Environment]) -> None:
        """What counts only where earlier #includes do not is gathered once they do not: in most units that is never."""
        while self.outer and self.env and (came := _counting(self.env, around.again) - self.again):
            names = with_more(self.outer[1], [around.again[it] for it in sorted(came)])
            self.again, self.outer, self.env = self.again | came, (around, names), make(names)

    def resolved(self, now: Placement) -> Sequence[Resolved]:
        """What each item says that speaks."""
        env = self.env
        assert env is not None
        return env.queries.each("resolved", now.spoken, lambda index: partial(resolve_item, env, now.speaking[index]))

    def slots(self, now: Placement) -> Sequence[frozenset[int]]:
        """In which slots all that stands which each of those names."""
        env = self.env
        assert env is not None
        return env.queries.each("slots", now.spoken, lambda index: partial(_slots, env, now.speaking[index]))


def _counting(env: Environment, each: Sequence[Run]) -> frozenset[int]:
    """Those where no #include before is in force."""
    together = groupby(enumerate(each), key=lambda it: it[1].unless)
    return frozenset(index for unless, those in together if env.none_hold(unless) for index, _ in those)


def _environment(
    setting: Setting, own: Names, settable: frozenset[str] | None, edited: bool, outer: Names
) -> Environment:
    queries = Queries() if edited else Once()
    made = Environment(setting.dialect, setting.macros, own, outer, settable, queries=queries)
    return made.with_host_pass() if setting.two_passes else made


def _others(was: Sequence[PlacedItem], now: Sequence[PlacedItem]) -> tuple[Sequence[PlacedItem], Sequence[PlacedItem]]:
    """What is gone, and what came."""
    head, tail = shared_ends((was, now))
    return was[head : len(was) - tail], now[head : len(now) - tail]


def _slots(env: Environment, placed: PlacedItem) -> frozenset[int]:
    return slots_in(env.queries.answer(("resolved", placed.item), partial(resolve_item, env, placed)))
