"""The definitions and types of one name by where they stand. Of a name that many bear, as each of some hundred classes
has a `value`, who looks it up from a place looks only at those that it may mean there, and hangs on no others."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from occupancy_lsp.source.lower.item_facts import TypeDefinition
from occupancy_lsp.source.lower.symbol_table import FoundDefinition, LocatedItem
from occupancy_lsp.source.syntax.expression_nodes import GLOBAL

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.translation_unit_scope import Environment

_T = TypeVar("_T")
_Type = tuple[LocatedItem, TypeDefinition]
_Rows = Mapping[Hashable, Sequence[_T]]
Path = tuple[str, ...]
_FEW = 8  # of one name: they are looked through
_MACROS = "macros"


def values_in_scope(env: Environment, name: str, path: Path, outer: Path) -> Sequence[FoundDefinition]:
    """All but macros that the name, written with the qualifier `outer`, may mean in the namespaces and classes `path`,
    in order; maybe with others."""
    if has_few_symbols(env, "definitions", name):
        return env.definitions(name)
    rows = [_values_under_key(env, name, key) for key in _lookup_keys(path, outer)]
    return _merge_in_order(rows, lambda it: (it.placed.order, it.definition.start))


def has_object_like_macro(env: Environment, name: str) -> bool:
    """Whether a macro without parameters bears it, in force or not."""
    if has_few_symbols(env, "definitions", name):
        return any(it.definition.kind == "macro" for it in env.definitions(name))
    return env.remember(("has macro", name), lambda: bool(_values_under_key(env, name, _MACROS)), False)


def values_at_paths(env: Environment, name: str, paths: Iterable[Path]) -> Sequence[FoundDefinition]:
    """All in these namespaces and classes; maybe with others."""
    if has_few_symbols(env, "definitions", name):
        return env.definitions(name)
    return [found for path in paths for found in _values_under_key(env, name, ("at", path))]


def values_in_item(env: Environment, name: str, item: int) -> Sequence[FoundDefinition]:
    """All in an item; maybe with others."""
    return (
        env.definitions(name)
        if has_few_symbols(env, "definitions", name)
        else _values_under_key(env, name, ("in", item))
    )


def types_in_scope(env: Environment, name: str, path: Path, outer: Path) -> Sequence[_Type]:
    """As `values_in_scope`."""
    if has_few_symbols(env, "types", name):
        return env.types(name)
    found = [_types_under_key(env, name, key) for key in _lookup_keys(path, outer)]
    return _merge_in_order(found, lambda it: (it[0].order, it[1].body.start))


def types_at_path(env: Environment, name: str, path: Path) -> Sequence[_Type]:
    return env.types(name) if has_few_symbols(env, "types", name) else _types_under_key(env, name, ("at", path))


def types_in_item(env: Environment, name: str, item: int) -> Sequence[_Type]:
    return env.types(name) if has_few_symbols(env, "types", name) else _types_under_key(env, name, ("in", item))


def types_owned_by(env: Environment, name: str, owner: Path) -> Sequence[_Type]:
    """All in these classes, in whatever namespace; maybe with others."""
    return env.types(name) if has_few_symbols(env, "types", name) else _types_under_key(env, name, ("of", owner))


def has_few_symbols(env: Environment, sense: str, name: str) -> bool:
    """Of a field of `Names`. What hangs on all of them is told if they become many; what hangs on some holds if they
    become few."""
    own, outer = getattr(env.own, sense), getattr(env.outer, sense)
    return len(own.get(name) or ()) + len(outer.get(name) or ()) <= _FEW


def _lookup_keys(path: Path, outer: Path) -> Sequence[Hashable]:
    if outer:
        return [("at", outer[1:]) if outer[0] == GLOBAL else ("last", outer[-1])]
    return [("at", path[:depth]) for depth in range(len(path) + 1)]


def _merge_in_order(rows: Sequence[Sequence[_T]], place: Callable[[_T], tuple[int, int]]) -> Sequence[_T]:
    rows = [it for it in rows if it]
    return rows[0] if len(rows) == 1 else sorted((it for row in rows for it in row), key=place)


def _values_under_key(env: Environment, name: str, key: Hashable) -> Sequence[FoundDefinition]:
    def keys(it: FoundDefinition) -> Iterable[Hashable]:
        of_place = _keys_of_path(it.placed.scope_path(it.definition.owner))
        return ("in", it.placed.item), *((_MACROS,) if it.definition.kind == "macro" else of_place)

    return env.rows_under_key("values", name, key, lambda: group_by_keys(env.definitions(name), keys))


def _types_under_key(env: Environment, name: str, key: Hashable) -> Sequence[_Type]:
    def keys(it: _Type) -> Iterable[Hashable]:
        placed, kind = it
        return ("in", placed.item), ("of", kind.owner), *_keys_of_path(placed.scope_path(kind.owner))

    return env.rows_under_key("types", name, key, lambda: group_by_keys(env.types(name), keys))


def _keys_of_path(path: Path) -> Iterable[Hashable]:
    return ("at", path), *((("last", path[-1]),) if path else ())


def group_by_keys(every: Iterable[_T], keys: Callable[[_T], Iterable[Hashable]]) -> _Rows[_T]:
    """Each under all its keys, in order."""
    found: dict[Hashable, list[_T]] = {}
    for it in every:
        for key in keys(it):
            found.setdefault(key, []).append(it)
    return {key: tuple(several) for key, several in found.items()}
