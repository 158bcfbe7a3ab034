"""Whether a launch of a Python file surely runs once what it stands in does."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from occupancy_lsp.languages.python.statements import Launch
from occupancy_lsp.languages.python.walking import walk

_CHOOSING = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LEAVING = (ast.Return, ast.Raise, ast.Assert, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)


def surely_runs(launch: Launch, margin: Sequence[ast.stmt]) -> bool:
    """Return whether no condition in sight decides on the launch. `margin`: the statement of the file that it is in."""
    function = launch.within
    if function is None:
        return _reached(launch.call, margin)
    plain = function.within is None and not function.decorators
    return plain and _reached(launch.call, function.node.body)


def _reached(call: ast.Call, body: Sequence[ast.stmt]) -> bool:
    for it in body:
        if any(node is call for node in walk(it)):
            if isinstance(it, ast.With):
                return _reached(call, it.body)
            plain = isinstance(it, ast.Expr | ast.Assign | ast.Return)
            return plain and not any(isinstance(node, _CHOOSING) and _has(node, call) for node in walk(it))
        if _may_leave(it):
            return False
    return False


def _has(node: ast.AST, call: ast.Call) -> bool:
    return any(it is call for it in walk(node))


def _may_leave(statement: ast.stmt) -> bool:
    """Whether the function may end in it: also by a call that stands alone under a condition (`pytest.skip(…)`)."""
    below = walk(statement)
    asking = any(isinstance(it, ast.If | ast.Try | ast.Match) for it in below)
    return any(isinstance(it, _LEAVING) or (asking and isinstance(it, ast.Expr)) for it in below)
