"""Values of integer constant expressions. Nothing is executed; what depends on an unknown is unknown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from occupancy_lsp.source.text.expressions import (
    Binary,
    Call,
    Conditional,
    Expression,
    Joined,
    Loose,
    Member,
    Name,
    Number,
    Opaque,
    SizeOf,
    Unary,
    Unread,
)
from occupancy_lsp.source.text.parsing import NOT_CONSTANT, PRECEDENCE, parsed
from occupancy_lsp.source.text.values import ONE, Dimensions, Place, Value, unknown

# Beyond this the width and sign of the type would decide, which is not followed.
_BOUND = 1 << 31


class Scope(Protocol):
    """Where an expression stands: what names mean there."""

    @property
    def slot(self) -> int:
        """Of the item whose text the expression's spans count in."""

    def find(self, name: Name) -> tuple[Expression, Scope] | str:
        """The expression a name stands for and where that stands, or why it is unknown."""

    def remember(self, name: Name, compute: Callable[[], Value]) -> Value:
        """What `compute` makes of the definition of `name` that stands here; unknown where that asks for itself."""

    def call(self, name: Name, texts: tuple[str, ...], depth: int) -> Value:
        """The value of a macro or constexpr function with arguments as written."""

    def member(self, whole: Expression, field: str, depth: int) -> Value:
        """The value of `whole.field`, of a class's object."""

    def looseness(self, name: Name) -> int:
        """The precedence of the operator that a macro with parameters leaves bare; a high number if there is none."""

    def size_of(self, operator: str, text: str) -> Value:
        """`sizeof` or `alignof` of a type or object."""

    def is_defined(self, name: str) -> bool | None:
        """Whether a macro is defined; None: not known."""

    def override(self, place: Place) -> int | None:
        """The number to read at `place` instead of what stands there."""


def _quotient(a: int, b: int) -> int | None:
    if b == 0:
        return None
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int) -> int | None:
    quotient = _quotient(a, b)
    return None if quotient is None else a - quotient * b


BINARY: Mapping[str, Callable[[int, int], int | None]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _quotient,
    "%": _remainder,
    "<<": lambda a, b: a << b if 0 <= b < 31 else None,
    ">>": lambda a, b: a >> b if 0 <= b < 31 else None,
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "&": lambda a, b: a & b,
    "^": lambda a, b: a ^ b,
    "|": lambda a, b: a | b,
}
UNARY: Mapping[str, Callable[[int], int]] = {
    "+": lambda a: a,
    "-": lambda a: -a,
    "!": lambda a: int(not a),
    "~": lambda a: ~a,
}
_SIGNED = frozenset(("<", ">", "<=", ">=", "/", "%", ">>"))  # where an unsigned difference comes out otherwise
_TIGHTEST = 20
_TORN = "a macro without parentheses around its operators"
_CHOICES: Mapping[str, Callable[..., int]] = {"min": min, "max": max}


def evaluate(expression: Expression, scope: Scope, depth: int = 0) -> Value:
    if depth > 64:
        return unknown("an expression nested too deeply")
    match expression:
        case Number(value, start, end):
            place = Place(scope.slot, start, end)
            changed = scope.override(place)
            return Value(value if changed is None else changed, literal=place if end else None)
        case Name():
            found = scope.find(expression)
            if isinstance(found, str):
                return unknown(found)
            return found[1].remember(expression, lambda: evaluate(found[0], found[1], depth + 1))
        case Unary(operator, operand):
            if binds_looser(operand, scope, _TIGHTEST, depth):
                return unknown(_TORN)
            return _unary(operator, evaluate(operand, scope, depth + 1))
        case Binary(operator, left, right):
            return _binary(operator, left, right, scope, depth)
        case Conditional(condition, then, otherwise):
            chosen = evaluate(condition, scope, depth + 1)
            return (
                chosen
                if chosen.number is None
                else _plain(evaluate(then if chosen.number else otherwise, scope, depth + 1))
            )
        case SizeOf(operator, text):
            return scope.size_of(operator, text)
        case Call():
            return _call(expression, scope, depth)
        case Member():
            return _member(expression, scope, depth + 1)
        case Unread():
            return evaluate(parsed(expression), scope, depth + 1)
        case Loose(inner):
            return _plain(evaluate(inner, scope, depth + 1))
        case Opaque(reason) | Joined(reason, _, _):
            return unknown(reason)
    return unknown(NOT_CONSTANT)


def binds_looser(operand: Expression, scope: Scope, rank: int, depth: int, operator: str = "") -> bool:
    """Whether the operand is a macro whose text, put in its place, would be torn apart by an operator of this rank.

    `operator`: what stands before the operand.
    """
    while isinstance(operand, Name) and depth <= 32:
        found = scope.find(operand)
        if isinstance(found, str):
            return False
        (operand, scope), depth = found, depth + 1
    if isinstance(operand, Call):
        return scope.looseness(operand.name) < rank
    if not isinstance(operand, Loose):
        return False
    inner = operand.expression
    if isinstance(inner, Conditional):
        return True
    # `3 * A * B` is `3 * (A * B)`: of sums and of products alone the order does not matter.
    return PRECEDENCE[inner.operator] < rank and not (operator in ("+", "*") and _only(inner, operator))


def _only(expression: Expression, operator: str) -> bool:
    """Whether it is made of this operator alone, as far as nothing binds tighter."""
    if not isinstance(expression, Binary) or expression.operator != operator:
        return False
    while isinstance(expression, Binary) and PRECEDENCE[expression.operator] == PRECEDENCE[operator]:
        if expression.operator != operator:
            return False
        expression = expression.left
    return True


def _member(expression: Member, scope: Scope, depth: int) -> Value:
    whole, field = expression.object, expression.field
    if field not in ("x", "y", "z"):
        return scope.member(whole, field, depth)
    value = _component(whole, "xyz".index(field), scope, depth)
    if value.number is not None:
        return value
    found = scope.member(whole, field, depth)
    return value if found.number is None else found


def _component(whole: Expression, index: int, scope: Scope, depth: int) -> Value:
    """Of what is a `dim3` beyond doubt; `threadIdx.x` is not known."""
    inner: Expression = whole
    here = scope
    while isinstance(inner, Name | Unread) and depth <= 32:
        depth += 1
        if isinstance(inner, Unread):
            inner = parsed(inner)
            continue
        found = here.find(inner)
        if isinstance(found, str):
            return unknown(found)
        inner, here = found
    if not isinstance(inner, Call) or inner.name.parts[-1] not in ("dim3", "{}"):
        return unknown("a member that dim3 does not have")
    return _along((index,), inner, here, depth)[0]


def _plain(value: Value) -> Value:
    return Value(value.number, value.reason)


def _within(number: int | None) -> Value:
    if number is None or not -_BOUND <= number < 2 * _BOUND:
        return unknown("does not fit an integer")
    return Value(number)


def _unary(operator: str, value: Value) -> Value:
    if value.number is None:
        return value
    if operator == "real":
        return unknown("a floating-point number")
    if operator == "cast":
        return value if 0 <= value.number < _BOUND else unknown("a cast that may change the value")
    return _within(UNARY[operator](value.number))


def _binary(operator: str, left: Expression, right: Expression, scope: Scope, depth: int) -> Value:
    rank = PRECEDENCE[operator]
    if binds_looser(left, scope, rank, depth) or binds_looser(right, scope, rank + 1, depth, operator):
        return unknown(_TORN)
    a = evaluate(left, scope, depth + 1)
    if operator in ("&&", "||"):
        decided = 0 if operator == "&&" else 1
        b = evaluate(right, scope, depth + 1)
        for side in (a, b):
            if side.number is not None and int(bool(side.number)) == decided:
                return Value(decided)
        return a if a.number is None else b if b.number is None else Value(1 - decided)
    if a.number is None:
        return a
    b = evaluate(right, scope, depth + 1)
    if operator in _SIGNED and any(
        isinstance(side, Binary) and (value.number or 0) < 0 for side, value in ((left, a), (right, b))
    ):
        return unknown("a difference below 0, whose type decides")
    return b if b.number is None else _within(BINARY[operator](a.number, b.number))


def _call(call: Call, scope: Scope, depth: int) -> Value:
    name = call.name.parts[-1]
    if name == "defined" and len(call.arguments) == 1 and isinstance(call.arguments[0], Name):
        known = scope.is_defined(str(call.arguments[0]))
        return unknown(f"{call.arguments[0]} may be defined elsewhere") if known is None else Value(int(known))
    if name in ("dim3", "{}"):
        return unknown("a dim3 is not a single number")
    if name in _CHOICES and len(call.arguments) == 2 and call.name.parts[:-1] in ((), ("std",)):
        values = [evaluate(argument, scope, depth + 1) for argument in call.arguments]
        numbers = [v.number for v in values if v.number is not None]
        return Value(_CHOICES[name](numbers)) if len(numbers) == 2 else next(v for v in values if v.number is None)
    return scope.call(call.name, call.texts, depth + 1)


def is_dimensions(call: Call) -> bool:
    """Whether it makes a `dim3`, or OpenCL's `NDRange`, of which one without sizes leaves them to the driver."""
    return call.name.parts[-1] in ("dim3", "{}") or (call.name.parts[-1] == "NDRange" and bool(call.arguments))


def dimensions(expression: Expression, scope: Scope, depth: int = 0) -> Dimensions:
    """A `dim3`, or an integer as one: each dimension on its own, 1 where nothing is said."""
    x, y, z = _along(range(3), expression, scope, depth)
    return x, y, z


def _along(axes: Sequence[int], expression: Expression, scope: Scope, depth: int) -> Sequence[Value]:
    """Of some dimensions: what one is made of may have others, and each of these again."""
    if depth > 32:
        return [unknown("its definitions are circular")] * len(axes)
    if isinstance(expression, Unread):
        return _along(axes, parsed(expression), scope, depth + 1)
    if isinstance(expression, Name):
        found = scope.find(expression)
        if not isinstance(found, str):
            return _along(axes, found[0], found[1], depth + 1)
    if isinstance(expression, Conditional):
        chosen = evaluate(expression.condition, scope, depth + 1)
        if chosen.number is not None:
            taken = expression.then if chosen.number else expression.otherwise
            return [_plain(it) for it in _along(axes, taken, scope, depth + 1)]
    if isinstance(expression, Call) and is_dimensions(expression) and len(expression.arguments) <= 3:
        if len(expression.arguments) == 1:
            return _along(axes, expression.arguments[0], scope, depth + 1)
        given = expression.arguments
        return [evaluate(given[axis], scope, depth + 1) if axis < len(given) else ONE for axis in axes]
    return [evaluate(expression, scope, depth) if axis == 0 else ONE for axis in axes]
