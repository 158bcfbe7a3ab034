"""The integer types of expressions as written, for `sizeof` and `decltype`: all that they name is in sight."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.sema.constant_evaluation import Scope, type_of
from occupancy_lsp.source.syntax.expression_nodes import (
    Binary,
    Conditional,
    ConvertedTo,
    Expression,
    MacroOperand,
    Name,
    Number,
    SizeOf,
    Unary,
)
from occupancy_lsp.source.syntax.expression_parser import parse_detached
from occupancy_lsp.source.syntax.integer_types import REAL, IntegerType, promoted_type

_DEEPEST = 16
_OTHER_CHARACTER = regex(r"\b(?:u8?|U|L)'")


def size_of_expression(text: str, scope: Scope, in_c: bool) -> int | None:
    """Return the bytes of an integer expression; None: its type is not known."""
    kind = type_of_written_expression(text, scope, in_c)
    return max(kind.bits // 8, 1) if kind is not None and kind != REAL else None


def type_of_written_expression(text: str, scope: Scope, in_c: bool) -> IntegerType | None:
    """Return the type of an expression of which all types are in sight; None: they are not.

    `in_c`: comparisons, `?:` and characters are no narrower than `int`, as C has it, rather than C++.
    """
    read = parse_detached(text)
    if not _has_known_types(read, scope) or _OTHER_CHARACTER.search(text) is not None:
        return None
    if in_c and isinstance(read, Number) and read.suffix == "bool":
        return None  # OpenCL's `true` is 1, an int; clang's has the type bool
    kind = type_of(read, scope)
    return promoted_type(kind) if in_c and kind is not None and not _is_exempt_from_promotion(read) else kind


def _is_exempt_from_promotion(expression: Expression) -> bool:
    """Whether it is an object or a cast, which C does not promote."""
    match expression:
        case MacroOperand(inner):
            return _is_exempt_from_promotion(inner)
        case Unary(operator):
            return operator == "cast"
    return isinstance(expression, Name)


def _has_known_types(expression: Expression, scope: Scope, depth: int = 0) -> bool:
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
            return _has_known_types(operand, scope, depth + 1)
        case Binary(_, left, right):
            return _has_known_types(left, scope, depth + 1) and _has_known_types(right, scope, depth + 1)
        case Conditional(_, then, otherwise):
            return _has_known_types(then, scope, depth + 1) and _has_known_types(otherwise, scope, depth + 1)
    return False
