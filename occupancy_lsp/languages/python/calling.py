"""The calls of a Python file, and what their names stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from dataclasses import dataclass

from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.module import Module, parameters
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.statements import Function, Statement

_DEEPEST = 12


@dataclass(frozen=True, slots=True, eq=False)
class Stands:
    """An expression: where it stands, in which statement and which functions, the innermost first."""

    node: ast.expr
    placed: Placed
    around: tuple[Function, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Calls:
    """Those of a statement, each with the functions around it, and what is called: names, and members of values."""

    each: tuple[tuple[ast.Call, tuple[Function, ...]], ...] = ()
    called: frozenset[str] = frozenset()


@remembered(4096)
def _calls(statement: Statement) -> _Calls:
    calls = [it for node in statement.nodes for it in ast.walk(node) if isinstance(it, ast.Call)]
    functions = sorted(statement.functions, key=lambda it: it.body.start, reverse=True)
    each = []
    for call in calls:
        at = statement.span(call).start
        each.append((call, tuple(it for it in functions if it.body.start <= at < it.body.end)))
    return _Calls(tuple(each), frozenset(called_name(it.func) for it in calls))


def called_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return called_name(func)
    return ""


def calling(module: Module, names: Set[str]) -> Iterator[Stands]:
    """The calls of these."""
    for placed in module.statements:
        calls = _calls(placed.statement)
        if not names.isdisjoint(calls.called):
            for call, around in calls.each:
                if called_name(call.func) in names:
                    yield Stands(call, placed, around)


def meant(module: Module, of: Stands, depth: int = 0) -> Stands:
    """The expression that a name, or a member of `self`, stands for, where only one can be meant; else that itself."""
    if depth > _DEEPEST:
        return of
    match of.node:
        case ast.Name(id=name):
            found = _named(module, of, name)
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name) if of.around:
            found = _member(of, name)
        case _:
            return of
    return meant(module, found, depth + 1) if found is not None else of


def _named(module: Module, of: Stands, name: str) -> Stands | None:
    for index, function in enumerate(of.around):
        given = [node for own, node in function.own if own == name]
        if given or name in parameters(function):
            alone = len(given) == 1 and name not in parameters(function)
            return Stands(given[0], of.placed, of.around[index:]) if alone and given[0] is not None else None
    nodes = module.scope.given.get(name, ())
    node = nodes[0] if len(nodes) == 1 else None
    stands = module.stands(name, node) if node is not None else None
    return Stands(node, stands, ()) if node is not None and stands is not None else None


def _member(of: Stands, name: str) -> Stands | None:
    """What the methods of a class give a member, or its body."""
    methods = {id(it.node): it for it in of.placed.statement.functions}
    holder = next((it for it in of.placed.statement.nodes if isinstance(it, ast.ClassDef)), None)
    if holder is None or of.around[-1].outer != (holder.name,):
        return None
    given: list[Stands | None] = []
    for part in holder.body:
        method = methods.get(id(part))
        around = (method,) if method is not None else ()
        given += (
            Stands(it, of.placed, around) if it is not None else None for it in _assigned(part, name, bool(around))
        )
    return given[0] if len(given) == 1 else None


def _assigned(part: ast.stmt, name: str, in_method: bool) -> list[ast.expr | None]:
    """What is given to the member there; None: what no plain assignment says."""

    def is_it(node: ast.AST) -> bool:
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=attr):
                return in_method and attr == name
            case ast.Name(id=own):
                return not in_method and own == name
        return False

    nodes = [*ast.walk(part)]
    stores = sum(is_it(it) and isinstance(getattr(it, "ctx", None), ast.Store | ast.Del) for it in nodes)
    plain = [it.value for it in nodes if isinstance(it, ast.Assign) and len(it.targets) == 1 and is_it(it.targets[0])]
    return [*plain] if len(plain) == stores else [None] * stores
