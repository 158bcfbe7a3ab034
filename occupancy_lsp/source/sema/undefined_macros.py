"""Macros that nothing in sight defines, though kernels are compiled only where something does: a build may do so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.item_facts import Conditions
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.translation_unit_scope import Environment

_WORD = regex(r"[A-Za-z_]\w*")
_NO_MACROS = frozenset[str]()


def undefined_macros_hiding(env: Environment, items: Sequence[LocatedItem]) -> frozenset[str]:
    """Return the undefined macros without which no kernel is compiled of a name that some of the items define.

    Where a kernel of the name is compiled, the others are alternatives to it.
    """
    if env.settable is None or env.dialect.hosted:
        return _NO_MACROS
    return _NO_MACROS.union(
        *(
            _undefined_macros_in(env, conditions, order)
            for conditions, order in _conditions_of_hidden_kernels(env, items)
        )
    )


def is_hidden_by_undefined_macro(env: Environment, conditions: Conditions, order: int) -> bool:
    """Whether what stands under these is not compiled, for all that is in sight, though a build may do so."""
    if env.commanded or env.holds(conditions, order) is not False:
        return False
    return env.with_any_macro_definable().holds(conditions, order) is not False


def _conditions_of_hidden_kernels(env: Environment, items: Iterable[LocatedItem]) -> Iterator[tuple[Conditions, int]]:
    """The conditions of kernels that a build out of sight may compile, each with the order of its item."""
    left_out: list[tuple[str, Conditions, int]] = []
    compiled: set[str] = set()
    for placed in items:
        for function in placed.facts.functions:
            if function.kernel:
                conditions = (*placed.conditions, *function.conditions)
                if env.holds(conditions, placed.order) is False:
                    left_out.append((function.name, conditions, placed.order))
                else:
                    compiled.add(function.name)
    for name, conditions, order in left_out:
        if name not in compiled and env.with_any_macro_definable().holds(conditions, order) is not False:
            yield conditions, order


def _undefined_macros_in(env: Environment, conditions: Conditions, order: int) -> frozenset[str]:
    """The macros that the conditions name, or that decide what those are, which nothing defines."""
    found: set[str] = set()
    seen: set[str] = set()
    todo = [text for text, _ in conditions]
    while todo:
        for name in {*_WORD.findall(todo.pop())} - seen - {"defined"}:
            seen.add(name)
            defined = [it for it in env.definitions(name) if it.definition.kind == "macro"]
            todo += [text for it in defined for text, _ in (*it.placed.conditions, *it.definition.conditions)]
            if not defined and env.is_defined(name, order) is False and env.is_predefined(name) is None:
                found.add(name)
    return frozenset(found)
