"""The numbers written in an expression and in what it stands for, and how each stands in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from occupancy_lsp.syntax.constants import Scope
from occupancy_lsp.syntax.expressions import Binary, Call, Conditional, Expression, Member, Name, Number, Unary, Unread
from occupancy_lsp.syntax.values import Place

Part = Literal["divisor", "rounding up", "dividend", ""]
_ROUNDS_UP = re.compile(r"ceil|div_?up|cdiv", re.IGNORECASE)  # iDivUp(n, 256), ceil_div(n, 256)


@dataclass(frozen=True, slots=True)
class Written:
    """A number of the text. `part`: of which part of a division it is; "rounding up": of what a function divides by."""

    place: Place
    number: int
    part: Part


def literals(expression: Expression, scope: Scope, part: Part = "", depth: int = 0) -> Iterator[Written]:
    """Each number that is written; what cannot be followed gives none."""
    if depth > 16:
        return
    match expression:
        case Number(value, start, end) if end:
            yield Written(Place(scope.item, start, end), value, part)
        case Unread():
            yield from literals(expression.read(), scope, part, depth + 1)
        case Name():
            found = scope.find(expression)
            if not isinstance(found, str):
                yield from literals(*found, part, depth + 1)
        case Unary(_, operand) | Member(operand, _):
            yield from literals(operand, scope, part, depth + 1)
        case Binary(operator, left, right):
            divides = operator == "/"
            yield from literals(left, scope, part or ("dividend" if divides else ""), depth + 1)
            yield from literals(right, scope, part or ("divisor" if divides else ""), depth + 1)
        case Conditional(condition, then, otherwise):
            for each in (condition, then, otherwise):
                yield from literals(each, scope, part, depth + 1)
        case Call(name, (value, by)) if _ROUNDS_UP.search(name.parts[-1]):
            yield from literals(value, scope, part or "dividend", depth + 1)
            yield from literals(by, scope, part or "rounding up", depth + 1)
        case Call(_, arguments):
            for argument in arguments:
                yield from literals(argument, scope, part, depth + 1)
