"""The nodes below one of a syntax tree, in the order of `ast.walk`, which takes several times as long.

Left out are those that say no more than how a name is used (`ast.Store`) and which operator it is: who asks for that
has it in a field.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from occupancy_lsp.core.query import remembered

_WORDS = {"ctx", "op", "ops", "id", "attr", "arg", "type_comment"}


@remembered(256)
def _fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """Those that may hold others."""
    return () if kind is ast.Constant else tuple(it for it in kind._fields if it not in _WORDS)


def children(node: ast.AST) -> list[ast.AST]:
    """In the order of the text, but for decorators and the like: as the node's own fields come."""
    found: list[ast.AST] = []
    for name in _fields(type(node)):
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [it for it in value if isinstance(it, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """The node and all below it."""
    found = [node]
    for it in found:
        found += children(it)
    return found


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Those of a function that do not stand in another one."""
    for it in children(node):
        if not isinstance(it, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield it
            yield from own_nodes(it)
