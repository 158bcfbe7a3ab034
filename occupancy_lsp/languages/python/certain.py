"""Whether a launch of a Python file surely runs once what it stands in does."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.statements import Function, Launch, Statement
from occupancy_lsp.languages.python.walking import children, walk

_CHOOSING = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LEAVING = (ast.Return, ast.Raise, ast.Assert, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)


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
