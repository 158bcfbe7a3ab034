"""Which numbers in the text an expression is made of, through the names it uses."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.syntax.constants import Scope
from occupancy_lsp.syntax.expressions import Binary, Call, Conditional, Expression, Member, Name, Number, Unary, Unread
from occupancy_lsp.syntax.values import Place


def literals(expression: Expression, scope: Scope, depth: int = 0) -> Iterator[tuple[Place, int]]:
    """Each number's place and value; what cannot be followed gives none."""
    if depth > 16:
        return
    match expression:
        case Number(value, start, end) if end:
            yield Place(scope.item, start, end), value
        case Unread():
            yield from literals(expression.read(), scope, depth + 1)
        case Name():
            found = scope.find(expression)
            if not isinstance(found, str):
                yield from literals(found[0], found[1], depth + 1)
        case Unary(_, operand) | Member(operand, _):
            yield from literals(operand, scope, depth + 1)
        case Binary(_, left, right):
            yield from literals(left, scope, depth + 1)
            yield from literals(right, scope, depth + 1)
        case Conditional(condition, then, otherwise):
            for part in (condition, then, otherwise):
                yield from literals(part, scope, depth + 1)
        case Call(_, arguments):
            for argument in arguments:
                yield from literals(argument, scope, depth + 1)
