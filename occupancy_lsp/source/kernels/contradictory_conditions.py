"""Whether conditions contradict one another that all hold where a place is reached: `n > 5` and `n < 3`, or `a < b` of
variables that are the same.

What a condition compares is written as a sum of variables as they are there, each times a number. A sum that several
conditions name lies within what all of them say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.lower.item_facts import Definition
from occupancy_lsp.source.sema.comparisons import (
    MIRRORED,
    AssumedCondition,
    implied_comparisons,
    lower_bound_of_comparison,
    upper_bound_of_comparison,
)
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.value_sets import integer_type_named
from occupancy_lsp.source.syntax.expression_nodes import (
    Binary,
    Expression,
    Name,
    OneOfAssignments,
    Unary,
    UnreadableExpression,
)
from occupancy_lsp.source.syntax.expression_parser import parse_if_unparsed
from occupancy_lsp.source.syntax.integer_types import BOOL, INT, REAL, IntegerType

_DEEPEST = 16


# A variable as it is at one place.
_Held = tuple[str, Definition]


@dataclass(frozen=True, slots=True)
class _Sum:
    """`signed`: it is worked out without wrapping, as of signed integers; a number that both kinds hold is either."""

    terms: Mapping[_Held, int]
    number: int
    signed: bool


def are_contradictory(conditions: Iterable[AssumedCondition]) -> bool:
    """Whether they surely do not all hold."""
    within: dict[tuple[tuple[_Held, int], ...], tuple[float, float]] = {}
    barred: dict[tuple[tuple[_Held, int], ...], set[int]] = {}
    for it in conditions:
        for operator, left, right in implied_comparisons(parse_if_unparsed(it.said), it.wanted, 0):
            one, other = _linear_sum(left, it.scope, 0), _linear_sum(right, it.scope, 0) if right is not None else _ZERO
            if one is None or other is None or not _are_comparable(one, other):
                continue
            terms, number = _normalized_terms(_add_sums(one, other, -1))
            if terms and terms[0][1] < 0:
                terms, number = tuple((held, -times) for held, times in terms), -number
                operator = MIRRORED[operator]
            if operator == "!=":
                barred.setdefault(terms, set()).add(-number)
            low, high = within.get(terms, (-inf, inf) if terms else (0, 0))
            within[terms] = (
                max(low, lower_bound_of_comparison(operator, -number)),
                min(high, upper_bound_of_comparison(operator, -number)),
            )
    return any(low > high or (low == high and low in barred.get(terms, ())) for terms, (low, high) in within.items())


_ZERO = _Sum({}, 0, True)


def _linear_sum(said: Expression, scope: ItemScope, depth: int) -> _Sum | None:
    """None: it is no sum of variables that are followed, or it may wrap."""
    said = parse_if_unparsed(said)
    value = evaluate(said, scope)
    if value.number is not None and value.type != REAL:
        return _Sum({}, value.number, value.type is None or value.type.signed)
    if depth > _DEEPEST or value.type == REAL:
        return None
    match said:
        case Name(parts=(label,)):
            return _sum_of_variable(label, scope, depth)
        case Unary("-", operand):
            found = _linear_sum(operand, scope, depth + 1)
            return _add_sums(_ZERO, found, -1) if found is not None and found.signed else None
        case Binary("+" | "-" as operator, left, right):
            one, other = _linear_sum(left, scope, depth + 1), _linear_sum(right, scope, depth + 1)
            signed = one is not None and other is not None and one.signed and other.signed
            return _add_sums(one, other, 1 if operator == "+" else -1) if signed and one and other else None
    return None


def _sum_of_variable(label: str, scope: ItemScope, depth: int) -> _Sum | None:
    held = scope.local(label)
    kind = (
        integer_type_named(held.type, scope)
        if held is not None and held.type != "auto"
        else scope.type_of_auto_variable(label)
    )
    followed = any(it.start <= scope.offset < it.end for it in scope.placed.facts.followed)
    if held is None or kind is None or not followed or label in scope.bindings or held.type.endswith(("*", "&")):
        return None
    if isinstance(held.value, UnreadableExpression) and held.value.is_unsteady:
        return None
    if not isinstance(held.value, UnreadableExpression | OneOfAssignments) and held.kind != "parameter":
        there = scope.at(held.start)
        found = _linear_sum(held.value, there, depth + 1)
        if found is not None and _fits_in_type(kind, found, there):
            return found
    return _Sum({(label, held): 1}, 0, kind.signed or kind == BOOL)


def _fits_in_type(kind: IntegerType, it: _Sum, scope: ItemScope) -> bool:
    """Whether a variable of that type surely is the same number."""
    if not it.terms:
        return kind.least <= it.number <= kind.most
    wide = kind.bits >= INT.bits or _cannot_have_wrapped(it)
    return wide and all(integer_type_named(held.type, scope) == kind for _, held in it.terms)


def _are_comparable(one: _Sum, other: _Sum) -> bool:
    """Whether they are compared as the numbers that they are: of one kind, or one a number that is none below 0."""
    if one.signed == other.signed:
        return one.signed or (_cannot_have_wrapped(one) and _cannot_have_wrapped(other))
    signed, plain = (one, other) if one.signed else (other, one)
    return not signed.terms and signed.number >= 0 and _cannot_have_wrapped(plain)


def _cannot_have_wrapped(it: _Sum) -> bool:
    """Whether nothing was worked out of it that may have wrapped."""
    return not it.terms or (len(it.terms) == 1 and it.number == 0)


def _add_sums(one: _Sum, other: _Sum, times: int) -> _Sum:
    terms = dict(one.terms)
    for held, count in other.terms.items():
        terms[held] = terms.get(held, 0) + times * count
    return _Sum(terms, one.number + times * other.number, one.signed and other.signed)


def _normalized_terms(it: _Sum) -> tuple[tuple[tuple[_Held, int], ...], int]:
    """With its terms in order."""
    each = sorted(
        ((held, times) for held, times in it.terms.items() if times), key=lambda pair: _sort_key_of_variable(pair[0])
    )
    return tuple(each), it.number


def _sort_key_of_variable(held: _Held) -> tuple[str, int, str]:
    return held[0], held[1].start, repr(held[1].scope)
