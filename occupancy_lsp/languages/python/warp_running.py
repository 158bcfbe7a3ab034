"""What only the running kernel of Warp knows, so that no compiler decides anything by it."""

from __future__ import annotations

import ast
from collections.abc import Collection

from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.module import parameters
from occupancy_lsp.languages.python.statements import Function
from occupancy_lsp.languages.python.walking import walk


def is_running(function: Function, node: ast.expr, besides: Collection[str] = ()) -> bool:
    """Whether it hangs on a parameter of the function. `besides`: names that tell nothing of it."""
    return not _names(node).isdisjoint(_running(function, frozenset(besides)))


@remembered(1024)
def _running(function: Function, besides: frozenset[str]) -> frozenset[str]:
    """Its parameters, and the names that it gives nothing but what hangs on these."""
    given: dict[str, list[ast.expr | None]] = {}
    for name, made in function.own:
        given.setdefault(name, []).append(made)
    found = {it for it in parameters(function) if it not in given} - besides
    todo = {
        name: [_names(it) for it in several if it is not None]
        for name, several in given.items()
        if name not in besides and None not in several
    }
    while more := {name for name, several in todo.items() if not any(it.isdisjoint(found) for it in several)}:
        found |= more
        todo = {name: it for name, it in todo.items() if name not in more}
    return frozenset(found)


def _names(node: ast.expr) -> frozenset[str]:
    return frozenset(it.id for it in walk(node) if isinstance(it, ast.Name))
