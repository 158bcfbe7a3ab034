"""What a name means to the preprocessor at a place: by the #define, #undef, push_macro and pop_macro before it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.lower.item_facts import Conditions, Definition, FunctionMacro, MacroChange
from occupancy_lsp.source.lower.symbol_table import LocatedItem

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.translation_unit_scope import Environment

Position = tuple[int, int]  # in a unit: the order of an item, and an offset in it


@dataclass(frozen=True, slots=True)
class Directive:
    """One that changes what a macro's name means, and the item that holds it."""

    placed: LocatedItem
    said: Definition | FunctionMacro | MacroChange

    @property
    def position(self) -> Position:
        return self.placed.order, self.said.start

    @property
    def is_ifndef_default(self) -> bool:
        """Whether it stands under `#ifndef` of its own name."""
        return (f"!defined({self.said.name})", True) in self.placed.conditions

    @property
    def conditions(self) -> Conditions:
        return (*self.placed.conditions, *self.said.conditions)

    def is_under_given_condition(self, condition: str) -> bool:
        """Whether that, or its opposite, is one of its conditions."""
        return any(text == condition for text, _ in self.conditions)

    @property
    def defines(self) -> bool:
        return not isinstance(self.said, MacroChange)


# What a name may mean: the directive that defined or undefined it last; None: nothing in sight has said anything.
Meanings = Sequence[Directive | None]
_UNSAID: Meanings = (None,)


def directives_about(env: Environment, name: str) -> Sequence[Directive]:
    """Return all directives of the unit that are about a macro of that name, in order."""
    found = [Directive(it.placed, it.definition) for it in env.definitions(name) if it.definition.kind == "macro"]
    found += [Directive(placed, it) for placed, it in env.function_macros_of(name)]
    found += [Directive(placed, it) for placed, it in env.macro_changes(name)]
    return sorted(found, key=lambda it: it.position)


def meanings_at(env: Environment, name: str, at: Position, but: str = "") -> Meanings:
    """Return what a macro's name may mean there: one thing where all conditions before it are known.

    `but`: without what stands under this condition.
    """
    found = env.macro_history(name)
    if not found:
        return _UNSAID
    before = bisect_left(found, at, key=_directive_position)
    saves = env.remember(("macro is saved", name), lambda: any(_is_push_or_pop(it.said) for it in found), False)
    return (
        _meanings_after_push_pop(env, found, before, but)
        if saves
        else _meanings_without_push_pop(env, found, before, but)
    )


def _meanings_without_push_pop(env: Environment, found: Sequence[Directive], before: int, but: str) -> Meanings:
    """The last that surely says something, and all behind it that may."""
    meanings: list[Directive | None] = []
    for it in islice(reversed(found), len(found) - before, None):
        if but and it.is_under_given_condition(but):
            continue
        holds = env.holds(it.conditions, it.placed.order)
        if holds is not False:
            meanings.append(it)
        if holds:
            break
    else:
        meanings.append(None)
    return tuple(reversed(meanings))


def _is_push_or_pop(said: Definition | FunctionMacro | MacroChange) -> bool:
    return isinstance(said, MacroChange) and said.kind in ("push", "pop")


def _meanings_after_push_pop(env: Environment, found: Sequence[Directive], before: int, but: str) -> Meanings:
    meanings: Meanings = _UNSAID
    saved: list[Meanings] = []
    for it in found[:before]:
        if but and it.is_under_given_condition(but):
            continue
        holds = env.holds(it.conditions, it.placed.order)
        if holds is False:
            continue
        said = it.said
        if isinstance(said, MacroChange) and said.kind == "push":
            saved.append(meanings if holds else (None, *found))
            continue
        restores = isinstance(said, MacroChange) and said.kind == "pop"
        now = (saved.pop() if saved else meanings) if restores else (it,)
        meanings = now if holds else tuple(dict.fromkeys((*meanings, *now)))
    return meanings


def _directive_position(it: Directive) -> Position:
    return it.position


def defining_meanings(meanings: Meanings) -> Sequence[Directive]:
    """Return those among what a name may mean that define a macro."""
    return [it for it in meanings if it is not None and it.defines]
