"""What bears a name in the namespaces and classes around a place, the innermost first.

Of a name that many bear, as each of some hundred classes has a `value`, it is found out once for all places that stand
in the same namespaces and classes: what differs between them is what stands before.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from occupancy_lsp.source.lower.item_facts import TypeDefinition
from occupancy_lsp.source.lower.symbol_table import FoundDefinition, LocatedItem
from occupancy_lsp.source.sema import symbols_by_scope
from occupancy_lsp.source.syntax.expression_nodes import GLOBAL

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.macro_history import Position
    from occupancy_lsp.source.sema.translation_unit_scope import Environment

PlacedType = tuple[LocatedItem, TypeDefinition]
Path = tuple[str, ...]
Key = tuple[str, Path]
_P = TypeVar("_P", FoundDefinition, PlacedType)


class Level(NamedTuple, Generic[_P]):
    """`found`: in order; `anywhere`: so many of these count before they stand, too. `key`: of a name that
    many bear, the name and where these stand."""

    depth: int
    found: Sequence[_P]
    anywhere: int
    key: Key | None = None

    def before(self, here: Position) -> Sequence[_P]:
        """Those that count at a place."""
        if self.anywhere == len(self.found):
            return self.found
        if self.anywhere:
            return [it for it in self.found if is_visible_at(it, here)]
        return self.found[: bisect_left(self.found, here, key=position)]


def value_levels(env: Environment, label: str, path: Path, outer: Path) -> Sequence[Level[FoundDefinition]]:
    """All but macros that the name, written with the qualifier `outer`, may mean in these namespaces and classes."""
    every = partial(symbols_by_scope.values_in_scope, env, label, path, outer)
    return _levels_of_sense(
        env, "definitions", label, path, outer, every, lambda at: symbols_by_scope.values_at_paths(env, label, (at,))
    )


def type_levels(env: Environment, label: str, path: Path, outer: Path) -> Sequence[Level[PlacedType]]:
    """As `values`."""
    every = partial(symbols_by_scope.types_in_scope, env, label, path, outer)
    return _levels_of_sense(
        env, "types", label, path, outer, every, partial(symbols_by_scope.types_at_path, env, label)
    )


def types_at(env: Environment, label: str, path: Path) -> Level[PlacedType]:
    """Those that stand in just these namespaces and classes, of which many bear the name."""
    return _level_at(env, "types", label, path, partial(symbols_by_scope.types_at_path, env, label))


def _levels_of_sense(
    env: Environment,
    sense: str,
    label: str,
    path: Path,
    outer: Path,
    every: Callable[[], Sequence[_P]],
    standing: Callable[[Path], Sequence[_P]],
) -> Sequence[Level[_P]]:
    if symbols_by_scope.has_few_symbols(env, sense, label):
        return _levels_by_depth(env, every(), path, outer)
    if outer:
        work = partial(_levels_in_sight, env, every, path, outer)
        return env.remember((f"{sense} in sight", label, outer, path), work, ())
    each = (_level_at(env, sense, label, path[:depth], standing) for depth in range(len(path), -1, -1))
    return [it for it in each if it.found]


def _levels_in_sight(
    env: Environment, every: Callable[[], Sequence[_P]], path: Path, outer: Path
) -> Sequence[Level[_P]]:
    return _levels_by_depth(env, every(), path, outer)


def _level_at(
    env: Environment, sense: str, label: str, path: Path, standing: Callable[[Path], Sequence[_P]]
) -> Level[_P]:
    def build_level() -> Level[_P]:
        return _make_level(len(path), tuple(it for it in standing(path) if may_be_active(env, it)), (label, path))

    empty: Level[_P] = Level(len(path), (), 0)
    return env.remember((f"level of {sense}", label, path), build_level, empty)


def _levels_by_depth(env: Environment, every: Sequence[_P], here: Path, outer: Path) -> Sequence[Level[_P]]:
    """Of what stands in namespaces or classes of the qualifier's name, what is around these counts."""
    found: dict[int, list[_P]] = {}
    for it in every:
        path = _scope_path_of(it)
        if is_path_visible_from(here, path, outer) and may_be_active(env, it):
            around = path[: len(path) - len(outer)] if not outer or outer[0] != GLOBAL else ()
            found.setdefault(len(around) if here[: len(around)] == around else -1, []).append(it)
    return [_make_level(depth, found[depth]) for depth in sorted(found, reverse=True)]


def _make_level(depth: int, found: Sequence[_P], key: Key | None = None) -> Level[_P]:
    return Level(depth, found, sum(map(_is_visible_before_declaration, found)), key)


def is_path_visible_from(here: Path, path: Path, outer: Path) -> bool:
    """Whether a name at `path` is found from `here`, written with the qualifier `outer`."""
    if outer:
        return path == outer[1:] if outer[0] == GLOBAL else path[-len(outer) :] == outer
    return here[: len(path)] == path


def innermost_visible(levels: Sequence[Level[_P]], here: Position) -> tuple[int, Sequence[_P]]:
    """What the first level has that has any that counts at a place, or else any, and how deep it is."""
    each = ((it.depth, found) for it in levels if (found := it.before(here)))
    return next(each, (levels[0].depth, levels[0].found) if levels else (-1, ()))


def is_visible_at(it: FoundDefinition | PlacedType, here: Position) -> bool:
    """Whether it does at a place, by which of them stands first."""
    return _is_visible_before_declaration(it) or position(it) < here


def may_be_active(env: Environment, it: FoundDefinition | PlacedType) -> bool:
    """Whether it is no macro, and no condition leaves it out."""
    if isinstance(it, FoundDefinition):
        conditions = it.placed.conditions + it.definition.conditions
        return it.definition.kind != "macro" and env.holds(conditions, it.placed.order) is not False
    placed, kind = it
    return env.holds(placed.conditions + kind.conditions, placed.order) is not False


def _is_visible_before_declaration(it: FoundDefinition | PlacedType) -> bool:
    """What a class has; of a template, any instance."""
    return (
        bool(it.definition.owner)
        if isinstance(it, FoundDefinition)
        else bool(it[1].owner) or it[1].template is not None
    )


def position(it: FoundDefinition | PlacedType) -> Position:
    return (
        (it.placed.order, it.definition.start) if isinstance(it, FoundDefinition) else (it[0].order, it[1].body.start)
    )


def _scope_path_of(it: FoundDefinition | PlacedType) -> Path:
    return (
        it.placed.scope_path(it.definition.owner) if isinstance(it, FoundDefinition) else it[0].scope_path(it[1].owner)
    )
