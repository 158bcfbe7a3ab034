"""What conditions compare, and what surely holds where they come out in one way."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.sema.scope import ItemScope
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
)
from occupancy_lsp.source.syntax.expression_parser import parse_if_unparsed

_DEEPEST = 16
OTHERWISE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True, slots=True)
class AssumedCondition:
    """What comes out as `wanted` where `scope` is."""

    said: Expression
    scope: ItemScope
    wanted: bool


def lower_bound_of_comparison(operator: str, number: int) -> float:
    return number if operator in ("==", ">=") else number + 1 if operator == ">" else -inf


def upper_bound_of_comparison(operator: str, number: int) -> float:
    return number if operator in ("==", "<=") else number - 1 if operator == "<" else inf


def implied_comparisons(
    said: Expression, wanted: bool, depth: int = 0
) -> Iterator[tuple[str, Expression, Expression | None]]:
    """What is compared in a condition that comes out so, and all that surely then holds; with None: with 0."""
    match said:
        case _ if depth > _DEEPEST:
            return
        case Unary("!", operand):
            yield from implied_comparisons(parse_if_unparsed(operand), not wanted, depth + 1)
        case Binary("&&" | "||" as operator, left, right):
            if wanted is (operator == "&&"):
                yield from implied_comparisons(parse_if_unparsed(left), wanted, depth + 1)
                yield from implied_comparisons(parse_if_unparsed(right), wanted, depth + 1)
        case Binary(operator, left, right) if operator in OTHERWISE:
            yield operator if wanted else OTHERWISE[operator], left, right
        case _:
            yield "!=" if wanted else "==", said, None


def changes_nothing(expression: Expression) -> bool:
    """Whether it is plain to see that it is worked out without a variable being changed."""
    match parse_if_unparsed(expression):
        case Number() | Name() | SizeOf() | Enumerator():
            return True
        case Unary(_, inner) | Member(inner) | MacroOperand(inner) | ConvertedTo(inner):
            return changes_nothing(inner)
        case Binary(_, left, right):
            return changes_nothing(left) and changes_nothing(right)
        case Conditional(condition, then, otherwise):
            return all(map(changes_nothing, (condition, then, otherwise)))
        case Call(Name(parts=(*_, "min" | "max")), arguments):
            return all(map(changes_nothing, arguments))
    return False


def are_same_text(one: Expression, other: Expression) -> bool:
    """Whether both are written alike, wherever they stand, and nothing in them may come out otherwise the second time,
    as a call may."""
    match one, other:
        case Number(), Number():
            return (one.value, one.suffix, one.decimal) == (other.value, other.suffix, other.decimal)
        case Name(), Name():
            return one.parts == other.parts and one.arguments == other.arguments
        case Member(whole, field), Member(other_whole, other_field):
            return field == other_field and are_same_text(whole, other_whole)
        case Unary(operator, operand, kind), Unary(other_operator, other_operand, other_kind):
            return (operator, kind) == (other_operator, other_kind) and are_same_text(operand, other_operand)
        case Binary(operator, left, right), Binary(other_operator, other_left, other_right):
            return operator == other_operator and are_same_text(left, other_left) and are_same_text(right, other_right)
        case ConvertedTo(held, kind), ConvertedTo(other_held, other_kind):
            return kind == other_kind and are_same_text(held, other_held)
        case MacroOperand(inner), MacroOperand(other_inner):
            return are_same_text(inner, other_inner)
    return False
