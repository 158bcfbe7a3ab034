"""The integer types of expressions, of which nothing is evaluated: of the side of `?:` that is not taken, say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.syntax.expression_nodes import (
    Binary,
    Call,
    Conditional,
    ConvertedTo,
    Enumerator,
    Expression,
    MacroOperand,
    Member,
    Name,
    Number,
    SizeOf,
    Unary,
    UnparsedText,
    UnreadableExpression,
)
from occupancy_lsp.source.syntax.expression_parser import NO_INTEGER, parse_detached, parse_if_unparsed
from occupancy_lsp.source.syntax.integer_types import (
    BOOL,
    COMPARISONS,
    LONG,
    REAL,
    UNSIGNED,
    UNSIGNED_LONG,
    IntegerType,
    common_type,
    literal_type,
    promoted_type,
    result_type,
    smallest_type_holding,
    type_of_conditional,
)

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.constant_evaluation import Scope

_DEEPEST = 16
CHOICES = ("min", "max")
_OTHER_CHARACTER = regex(r"\b(?:u8?|U|L)'")


def type_of(expression: Expression, scope: Scope, depth: int = 0) -> IntegerType | None:
    """Return its type, `REAL` of a floating-point number; None: not known."""
    if depth > _DEEPEST:
        return None
    match expression:
        case Number(value):
            return type_of_literal(expression, value, scope)
        case ConvertedTo(_, kind):
            return kind
        case Name():
            found = scope.find(expression)
            return None if isinstance(found, str) else type_of(*found, depth + 1)
        case Unary():
            return _type_of_unary(expression, scope, depth)
        case Binary(operator, left, right):
            one, other = type_of(left, scope, depth + 1), type_of(right, scope, depth + 1)
            return _of_both(operator, one, other, scope)
        case Conditional(_, then, otherwise):
            return type_of_conditional(type_of(then, scope, depth + 1), type_of(otherwise, scope, depth + 1))
        case SizeOf():
            return UNSIGNED_LONG
        case Call():
            return _type_of_call(expression, scope, depth)
        case Member(Name(("threadIdx" | "blockIdx" | "blockDim" | "gridDim",)), "x" | "y" | "z"):
            return UNSIGNED
        case UnparsedText():
            return type_of(parse_if_unparsed(expression), scope, depth + 1)
        case MacroOperand(inner):
            return type_of(inner, scope, depth + 1)
        case Enumerator(_, deciding):
            return type_of_enumeration(deciding, scope, depth)
        case UnreadableExpression(reason):
            return REAL if reason == NO_INTEGER else None
    return None


def size_of_expression(text: str, scope: Scope, in_c: bool) -> int | None:
    """Return the bytes of an integer expression; None: its type is not known."""
    kind = type_as_written(text, scope, in_c)
    return max(kind.bits // 8, 1) if kind is not None and kind != REAL else None


def type_as_written(text: str, scope: Scope, in_c: bool) -> IntegerType | None:
    """Return the type of an expression of which all types are in sight; None: they are not.

    `in_c`: comparisons, `?:` and characters are no narrower than `int`, as C has it, rather than C++.
    """
    read = parse_detached(text)
    if not _is_typed(read, scope) or _OTHER_CHARACTER.search(text) is not None:
        return None
    if in_c and isinstance(read, Number) and read.suffix == "bool":
        return None  # OpenCL's `true` is 1, an int; clang's has the type bool
    kind = type_of(read, scope)
    return promoted_type(kind) if in_c and kind is not None and not _keeps_its_type(read) else kind


def _keeps_its_type(expression: Expression) -> bool:
    """Whether it is an object or a cast, which C does not promote."""
    match expression:
        case MacroOperand(inner):
            return _keeps_its_type(inner)
        case Unary(operator):
            return operator == "cast"
    return isinstance(expression, Name)


def _is_typed(expression: Expression, scope: Scope, depth: int = 0) -> bool:
    """Whether all that it names has a type in sight."""
    if depth > _DEEPEST:
        return False
    match expression:
        case Number() | SizeOf():
            return True
        case Name():
            found = scope.find(expression)
            return not isinstance(found, str) and isinstance(found[0], ConvertedTo)
        case Unary(_, operand):
            return _is_typed(operand, scope, depth + 1)
        case Binary(_, left, right):
            return _is_typed(left, scope, depth + 1) and _is_typed(right, scope, depth + 1)
        case Conditional(_, then, otherwise):
            return _is_typed(then, scope, depth + 1) and _is_typed(otherwise, scope, depth + 1)
    return False


def type_of_literal(number: Number, value: int, scope: Scope) -> IntegerType | None:
    """Return the type of a literal that says the value; to the preprocessor what fits no signed type is unsigned."""
    if scope.preprocesses:
        return literal_type(value, f"{number.suffix}l", number.decimal) or UNSIGNED_LONG
    return literal_type(value, number.suffix, number.decimal)


def widened(kind: IntegerType) -> IntegerType:
    """Return the type that the preprocessor has in its place."""
    return LONG if kind.signed or kind == BOOL else UNSIGNED_LONG


def _type_of_unary(expression: Unary, scope: Scope, depth: int) -> IntegerType | None:
    if expression.operator == "real":
        return REAL
    if expression.operator == "cast":
        return scope.type_named(expression.type)
    inner = type_of(expression.operand, scope, depth + 1)
    kind = BOOL if expression.operator == "!" else promoted_type(inner) if inner is not None else None
    return widened(kind) if scope.preprocesses and kind is not None else kind


def _of_both(operator: str, one: IntegerType | None, other: IntegerType | None, scope: Scope) -> IntegerType | None:
    if one is None or other is None:
        truth = operator in COMPARISONS or operator in ("&&", "||")
        kind = BOOL if truth else REAL if REAL in (one, other) else None
    else:
        kind = result_type(operator, one, other)
    return widened(kind) if scope.preprocesses and kind is not None else kind


def _type_of_call(call: Call, scope: Scope, depth: int) -> IntegerType | None:
    if call.name.parts[-1] in CHOICES and len(call.arguments) == 2:
        one, other = (type_of(it, scope, depth + 1) for it in call.arguments)
        return type_chosen(call, (one, other), scope)
    return scope.type_of_call(call.name, call.texts, depth + 1)


def type_chosen(call: Call, given: Sequence[IntegerType | None], scope: Scope) -> IntegerType | None:
    """Return the type of `min` or `max`: the standard library takes two of one type, CUDA converts both to one."""
    template = call.name.arguments[-1] if call.name.arguments else None
    if template:
        return scope.type_named(template[0]) if len(template) == 1 else None
    one, other = given
    if len(call.name.parts) > 1:
        return one or other
    return one if one == other else common_type(one, other) if one is not None and other is not None else None


def type_of_enumeration(deciding: tuple[str, ...], scope: Scope, depth: int) -> IntegerType | None:
    """Return the type that its enumerators are promoted to; None: the value of one that decides is not known."""
    from occupancy_lsp.source.sema.constant_evaluation import evaluate

    numbers: list[int] = []
    for label in deciding:
        found = scope.within_braces(deciding).find(Name((label,)))
        number = evaluate(*found, depth + 1).number if not isinstance(found, str) else None
        if number is None:
            return None
        numbers.append(number)
    return smallest_type_holding(numbers)
