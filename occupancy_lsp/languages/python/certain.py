"""Whether a launch of a Python file surely runs once what it stands in does, or never."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.module import Module
from occupancy_lsp.languages.python.statements import Function, Launch, Statement
from occupancy_lsp.languages.python.values import Scope, value
from occupancy_lsp.languages.python.walking import children, walk

_CHOOSING = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LEAVING = (ast.Return, ast.Raise, ast.Assert, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)
# Functions that do not return: of Python, and of its test runners.
_ENDING = {
    "sys.exit", "exit", "quit", "os._exit", "os.abort", "pytest.skip", "pytest.fail", "pytest.xfail", "pytest.exit"
}  # fmt: skip
_ENDING_METHODS = {"skipTest", "fail"}  # of unittest.TestCase


def surely_runs(launch: Launch, statement: Statement) -> bool:
    """Return whether no condition in sight decides on the launch. `statement`: of the file, in which it stands."""
    function = launch.within
    if function is None:
        return launch.call in _surely_run_at(statement)
    return function.within is None and not function.decorators and launch.call in _surely_run_in(function)


@remembered(4096)
def _surely_run_at(statement: Statement) -> frozenset[ast.AST]:
    return frozenset(_surely_run(statement.nodes))


@remembered(4096)
def _surely_run_in(function: Function) -> frozenset[ast.AST]:
    return frozenset(_surely_run(function.node.body))


def _surely_run(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """What of statements is worked out once the first one is reached."""
    for it in body:
        if isinstance(it, ast.With):
            yield from _surely_run(it.body)
        elif isinstance(it, ast.Expr | ast.Assign | ast.Return):
            yield from _unconditional(it)
        if _may_leave(it):
            return


def _unconditional(statement: ast.stmt) -> list[ast.AST]:
    """The nodes below that stand in nothing which chooses."""
    found: list[ast.AST] = [statement]
    for it in found:
        found += [] if isinstance(it, _CHOOSING) else children(it)
    return found


def _may_leave(statement: ast.stmt) -> bool:
    """Whether the function may end in it: also by a call that stands alone under a condition (`pytest.skip(…)`)."""
    below = walk(statement)
    asking = any(isinstance(it, ast.If | ast.Try | ast.Match) for it in below)
    return any(isinstance(it, _LEAVING) or (asking and isinstance(it, ast.Expr)) for it in below)


_Stretch = tuple[tuple[int, int], tuple[int, int]]  # of a statement's text, from a line and column to another


def may_run(module: Module, statement: Statement, within: Function | None, node: ast.expr) -> bool:
    """Return whether a launch at a node may run: no condition around it fails, and no statement before it leaves.

    `statement`: of the file; `within`: the function in it.
    """

    def cut_off(module: Module) -> tuple[_Stretch, ...]:
        body = within.node.body if within is not None else statement.nodes
        return tuple(_cut_off(body, module.inside(within)))

    at = node.lineno, node.col_offset
    return not any(start <= at < end for start, end in module.make(("cut off", statement, within), cut_off))


def _cut_off(body: Sequence[ast.stmt], scope: Scope) -> Iterator[_Stretch]:
    """What of statements surely never runs."""
    for index, it in enumerate(body):
        match it:
            case ast.If(test=test, body=inside, orelse=other) if (holds := _truth(test, scope)) is not None:
                yield from _whole(other if holds else inside)
                yield from _cut_off(inside if holds else other, scope)
            case ast.While(test=test, body=inside, orelse=other) if _truth(test, scope) is False:
                yield from _whole(inside)
                yield from _cut_off(other, scope)
            case _:
                for each in _bodies(it):
                    yield from _cut_off(each, scope)
        if _leaves(it, scope):
            yield from _whole(body[index + 1 :])
            return


def _whole(body: Sequence[ast.stmt]) -> Iterator[_Stretch]:
    if body:
        first, last = body[0], body[-1]
        yield (first.lineno, first.col_offset), (last.end_lineno or 0, last.end_col_offset or 0)


def _bodies(statement: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    """The lists of statements in one."""
    for name in ("body", "orelse", "finalbody"):
        yield getattr(statement, name, ())
    for it in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield it.body


def _leaves(statement: ast.stmt, scope: Scope) -> bool:
    """Whether what follows it in its block surely does not run."""
    match statement:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.Assert(test=test):
            return _truth(test, scope) is False
        case ast.Expr(value=ast.Call(func=called)):
            method = called.attr if isinstance(called, ast.Attribute) else ""
            return scope.dotted(called) in _ENDING or method in _ENDING_METHODS
        case ast.If(test=test, body=body, orelse=other):
            holds = _truth(test, scope)
            ways = ([] if holds is False else [body]) + ([] if holds is True else [other])
            return all(any(_leaves(it, scope) for it in way) for way in ways)
    return False


def _truth(test: ast.expr, scope: Scope) -> bool | None:
    """None: not known."""
    found = value(test, scope)
    return bool(found) if found is None or isinstance(found, bool | int | float | str) else None
