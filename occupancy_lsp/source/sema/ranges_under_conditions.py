"""What conditions that surely hold leave of what an expression may come to."""

from __future__ import annotations

from occupancy_lsp.source.sema import interval_domain
from occupancy_lsp.source.sema.comparisons import (
    MIRRORED,
    AssumedCondition,
    are_same_text,
    implied_comparisons,
    lower_bound_of_comparison,
    upper_bound_of_comparison,
)
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.interval_domain import Range
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.syntax.expression_nodes import (
    Binary,
    ConvertedTo,
    Expression,
    MacroOperand,
    Member,
    Name,
    Number,
    Unary,
    UnreadableExpression,
)
from occupancy_lsp.source.syntax.expression_parser import parse_if_unparsed
from occupancy_lsp.source.syntax.integer_types import REAL
from occupancy_lsp.source.syntax.known_value import DIMENSIONS, Value


def range_under_condition(expression: Expression, found: Range, scope: ItemScope, condition: AssumedCondition) -> Range:
    """With what a condition says that compares the same with a number."""
    for operator, left, right in implied_comparisons(parse_if_unparsed(condition.said), condition.wanted):
        if right is None:
            continue
        for side, other, sign in ((left, right, operator), (right, left, MIRRORED[operator])):
            number = evaluate(other, condition.scope) if are_same_text(parse_if_unparsed(side), expression) else None
            if number is not None and _mean_the_same(expression, scope, condition.scope):
                found = _range_if_compared(found, sign, number)
    return found


def range_below(found: Range, most: float) -> Range:
    return interval_domain.clamped_range(found, found.least, most) if isinstance(most, int) else found


def _range_if_compared(found: Range, operator: str, by: Value) -> Range:
    """Of what compares so with a number. One that is below 0 may have been converted to another."""
    number, kind = by.number, by.type
    if number is None or number < 0 or kind == REAL:
        return found
    least = lower_bound_of_comparison(operator, number)
    if kind is not None and kind.signed and isinstance(least, int) and least <= found.most:
        found = interval_domain.clamped_range(found, least, found.most)
    return range_below(found, upper_bound_of_comparison(operator, number))


def _mean_the_same(expression: Expression, one: ItemScope, other: ItemScope) -> bool:
    """Whether all names in it have the same values in both places of a function."""
    if one.placed is not other.placed or one.bindings != other.bindings:
        return False
    match expression:
        case Number():
            return True
        case Name(parts=(label,)):
            held = one.local(label)
            if held is None:
                return evaluate(expression, one).number is not None and other.local(label) is None
            followed = any(it.start <= one.offset < it.end for it in one.placed.facts.followed)
            unsteady = isinstance(held.value, UnreadableExpression) and held.value.is_unsteady
            refers = held.type.endswith(("*", "&")) or label in one.bindings
            return held == other.local(label) and followed and not unsteady and not refers
        case Unary(_, operand) | MacroOperand(operand) | ConvertedTo(operand):
            return _mean_the_same(operand, one, other)
        case Member(Name(parts=(label,)) as whole, field):
            # What a method may change of it shows in no assignment; it does where it is a `dim3`, which has none.
            return (field in DIMENSIONS or not one.has_method_called(label)) and _mean_the_same(whole, one, other)
        case Binary(_, left, right):
            return _mean_the_same(left, one, other) and _mean_the_same(right, one, other)
    return False
