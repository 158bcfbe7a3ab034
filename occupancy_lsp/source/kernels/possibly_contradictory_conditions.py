"""Whether conditions around a place in device code may exclude one another, or what the types of their variables hold:
`if (i < 3) { if (i > 5) …`, `if (i > 255)` of an `unsigned char`. A compiler drops what stands under them then.

Variables are taken to be the same at each of them, and no sum to wrap: what that excludes may never run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, product
from math import gcd, inf

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.possibly_unreachable_regions import is_tautology_or_contradiction, values_assigned_once
from occupancy_lsp.source.lower.symbol_table import enclosing_function
from occupancy_lsp.source.lower.variables import is_floating_point_type
from occupancy_lsp.source.sema.comparisons import (
    MIRRORED,
    OTHERWISE,
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
    Conditional,
    Expression,
    Member,
    Name,
    Number,
    Unary,
    UnparsedText,
)
from occupancy_lsp.source.syntax.expression_parser import parse_detached, parse_if_unparsed
from occupancy_lsp.source.syntax.integer_types import INT, REAL

_DEEPEST, _MOST, _FEW = 8, 12, 4
_LIMITS = {
    "CHAR_MAX": 127, "SCHAR_MAX": 127, "SCHAR_MIN": -128, "UCHAR_MAX": 255, "SHRT_MAX": 32767, "SHRT_MIN": -32768,
    "USHRT_MAX": 65535, "INT_MAX": 2**31 - 1, "INT_MIN": -(2**31), "UINT_MAX": 2**32 - 1, "LLONG_MAX": 2**63 - 1,
    "ULLONG_MAX": 2**64 - 1, "nullptr": 0, "NULL": 0,
}  # fmt: skip
_SIMPLE = regex(rb"\s*([\w.]+(?:\[[^][&|]*\])?)\s*(<=?|>=?|==|!=)\s*([\w.]+)\s*")
_Terms = tuple[tuple[str, int], ...]
_Span = tuple[float, float]
_EVERYTHING: _Span = (-inf, inf)


@dataclass(frozen=True, slots=True)
class _Sum:
    """`within`: what each term may be."""

    terms: Mapping[str, int]
    number: int
    within: Mapping[str, _Span]


_Comparison = tuple[str, _Sum, _Sum]


@dataclass(frozen=True, slots=True)
class ComparedCondition:
    """What a condition says that has to hold. `text`: as one comparison, if it is one; `comparisons`: all that hold
    with it; `alternatives`: the same of each side of `||`, of which one has to hold."""

    text: bytes | None = None
    comparisons: tuple[_Comparison, ...] = ()
    alternatives: tuple[tuple[_Comparison, ...], ...] = ()


def compared_condition(it: AssumedCondition) -> ComparedCondition:
    return ComparedCondition(_comparison_text(it), _comparisons(it), tuple(map(_comparisons, _alternatives(it))))


def may_be_exclusive(conditions: Sequence[ComparedCondition]) -> bool:
    """Whether they may never all hold."""
    texts = [it.text for it in conditions if it.text is not None]
    if len(texts) > 1 and is_tautology_or_contradiction(b" && ".join(texts)):
        return True
    if _are_exclusive(it.comparisons for it in conditions):
        return True
    several = [it for it in conditions if it.alternatives]
    return any(
        all(
            _are_exclusive([*(other.comparisons for other in conditions if other is not it), one])
            for one in it.alternatives
        )
        for it in several[:_FEW]
    )


def _alternatives(it: AssumedCondition) -> Sequence[AssumedCondition]:
    """Of which one has to hold: the sides of `||`, and of `?:`."""
    said = parse_if_unparsed(it.said)
    if isinstance(said, Conditional):
        return AssumedCondition(said.then, it.scope, it.wanted), AssumedCondition(said.otherwise, it.scope, it.wanted)
    if not isinstance(said, Binary) or said.operator != ("||" if it.wanted else "&&"):
        return ()
    return AssumedCondition(said.left, it.scope, it.wanted), AssumedCondition(said.right, it.scope, it.wanted)


def _are_exclusive(conditions: Iterable[Sequence[_Comparison]]) -> bool:
    bounds: dict[_Terms, _Span] = {}
    barred: dict[_Terms, set[int]] = {}
    for operator, one, other in chain.from_iterable(conditions):
        terms = {it: one.terms.get(it, 0) - other.terms.get(it, 0) for it in {**one.terms, **other.terms}}
        number = one.number - other.number
        key = tuple(sorted((it, times) for it, times in terms.items() if times))
        if key and key[0][1] < 0:
            key, number = tuple((it, -times) for it, times in key), -number
            operator = MIRRORED[operator]
        parts = gcd(*(times for _, times in key)) or 1
        low, high = lower_bound_of_comparison(operator, -number), upper_bound_of_comparison(operator, -number)
        key, low, high = (
            tuple((it, times // parts) for it, times in key),
            -_divide_rounding_down(-low, parts),
            _divide_rounding_down(high, parts),
        )
        known = bounds.get(key) or _range_of_sum(key, {**one.within, **other.within})
        bounds[key] = max(known[0], low), min(known[1], high)
        if operator == "!=" and number % parts == 0:
            barred.setdefault(key, set()).add(-number // parts)
    if any(low > high or (low == high and low in barred.get(key, ())) for key, (low, high) in bounds.items()):
        return True
    return _differences_contradict(bounds)


def _divide_rounding_down(bound: float, by: int) -> float:
    return bound if bound in _EVERYTHING else int(bound) // by


def _differences_contradict(bounds: Mapping[_Terms, _Span]) -> bool:
    """Whether differences of two variables, and what single ones are, exclude one another: `i == j`, `i > 7`, `j < 7`.

    Written as `one - other <= distance`, the way from a variable to itself is shorter than none then.
    """
    shortest: dict[tuple[str, str], float] = {}
    for key, (low, high) in bounds.items():
        names = [it for it, _ in key]
        if [times for _, times in key] not in ([1], [1, -1]):
            continue
        one, other = names[0], names[1] if len(names) > 1 else ""
        for pair, distance in (((one, other), high), ((other, one), -low)):
            shortest[pair] = min(distance, shortest.get(pair, inf))
    each = {it for pair in shortest for it in pair}
    if len(each) > _MOST or not any(all(pair) for pair in shortest):
        return False
    for middle, one, other in product(each, repeat=3):
        through = shortest.get((one, middle), inf) + shortest.get((middle, other), inf)
        shortest[one, other] = min(through, shortest.get((one, other), inf))
    return any(shortest[it, it] < 0 for it in each)


def _comparisons(condition: AssumedCondition) -> tuple[_Comparison, ...]:
    return tuple(_find_comparisons(condition))


def _find_comparisons(condition: AssumedCondition) -> Iterator[_Comparison]:
    for operator, left, right, scope in _comparisons_through_variables(
        condition.said, condition.scope, condition.wanted, 0
    ):
        one = _linear_sum(left, scope, 0)
        other = _linear_sum(right, scope, 0) if right is not None else _ZERO
        if one is not None and other is not None:
            yield operator, one, other


_ZERO = _Sum({}, 0, {})


def _comparisons_through_variables(
    said: Expression, scope: ItemScope, wanted: bool, depth: int
) -> Iterator[tuple[str, Expression, Expression | None, ItemScope]]:
    """What is compared, also by way of a variable that holds the outcome."""
    for operator, left, right in implied_comparisons(parse_if_unparsed(said), wanted, 0):
        left = parse_if_unparsed(left)
        made = _initial_value_of(left, scope) if right is None and isinstance(left, Name) and depth < _DEEPEST else None
        if isinstance(made, Binary) and made.operator in (*OTHERWISE, "&&", "||"):
            yield from _comparisons_through_variables(made, scope, operator == "!=", depth + 1)
            continue
        yield operator, left, right, scope
        if isinstance(left, Unary) and left.operator == "cast" and operator in ("<", "<=", "=="):
            kind = integer_type_named(left.type, scope)
            if kind is not None and not kind.signed:  # what is below 0 is a large number
                yield ">=", left.operand, None, scope


def _initial_value_of(name: Name, scope: ItemScope) -> Expression | None:
    """What a variable of a function is given where it is declared, if it is given nothing else."""
    holder = enclosing_function(scope.placed.facts, scope.offset)
    if holder is None or len(name.parts) > 1 or any(it.name == name.parts[0] for it in holder.parameters):
        return None
    once = holder.remembered_answers.ask("given once", lambda: values_assigned_once(holder.texts.device_code))
    text = once.get(name.parts[0])
    return parse_if_unparsed(parse_detached(text)) if text is not None else None


def _linear_sum(said: Expression, scope: ItemScope, depth: int) -> _Sum | None:
    """None: it is no sum of what can be told apart by name."""
    said = parse_if_unparsed(said)
    value = evaluate(said, scope)
    if value.number is not None and value.type != REAL:
        return _Sum({}, value.number, {})
    if value.type == REAL or depth > _DEEPEST:
        return None
    part = partial(_linear_sum, scope=scope, depth=depth + 1)
    match said:
        case Name(parts=(label,)) if label in _LIMITS and not scope.owns(label):
            return _Sum({}, _LIMITS[label], {})
        case Unary("cast", operand):
            return part(operand)
        case Name(parts=(label,)):
            within, made = _range_of_variable(label, scope), _initial_value_of(said, scope)
            wide = within is not None and within[1] - within[0] >= INT.most
            if wide and made is not None and (found := _linear_sum(made, scope, depth + 2)) is not None:
                return found
            return None if within is None else _Sum({label: 1}, 0, {label: within})
        case Member(Name(parts=(label,)), field):
            return _Sum({f"{label}.{field}": 1}, 0, {f"{label}.{field}": _EVERYTHING})
        case Unary("+", operand):
            return part(operand)
        case Unary("-", operand):
            return _scaled_sum(part(operand), -1)
        case Binary("+" | "-" as operator, left, right):
            one, other = part(left), _scaled_sum(part(right), 1 if operator == "+" else -1)
            return _add_sums(one, other) if one is not None and other is not None else None
        case Binary("*", left, right):
            one, other = part(left), part(right)
            if one is not None and other is not None and not (one.terms and other.terms):
                return _scaled_sum(one, other.number) if one.terms else _scaled_sum(other, one.number)
        case Binary("&" | "%" | "/" | ">>" as operator, left, right):
            by, of = evaluate(right, scope).number, part(left)
            label, within = _symbolic_name(said), _range_of_operation(operator, by, of)
            if label and within is not None:
                return _Sum({label: 1}, 0, {label: within})
    return None


def _range_of_variable(label: str, scope: ItemScope) -> _Span | None:
    """What a variable holds by its type; None: it is no integer."""
    declared = scope.declared(label)
    if declared is None:
        return _EVERYTHING
    said, there = declared
    if said.endswith("*"):
        return 0, inf
    if is_floating_point_type(said):
        return None
    kind = integer_type_named(said, there)
    if kind == REAL:
        return None
    return (kind.least, kind.most) if (kind is not None and kind.bits > 7) or (said == "bool" and kind) else _EVERYTHING


def _range_of_operation(operator: str, by: int | None, of: _Sum | None) -> _Span | None:
    """What a part of a number may be."""
    if by is None or by <= 0:
        return None
    low, high = _range_of_sum(tuple(of.terms.items()), of.within) if of is not None else _EVERYTHING
    if operator == "&":
        return 0, by
    if operator == "%":
        return (1 - by if low < 0 else 0), by - 1
    by = by if operator == "/" else 1 << min(by, 64)
    return (low if low in _EVERYTHING else low // by), (high if high in _EVERYTHING else high // by)


def _symbolic_name(said: Expression) -> str:
    """What tells an expression apart by its names and numbers; "": nothing does."""
    match parse_if_unparsed(said):
        case Name() as name:
            return str(name)
        case Number() as number:
            return str(number.value)
        case Member(Name() as name, field):
            return f"{name}.{field}"
        case Binary(operator, left, right):
            one, other = _symbolic_name(left), _symbolic_name(right)
            return f"({one} {operator} {other})" if one and other else ""
    return ""


def _scaled_sum(it: _Sum | None, times: int) -> _Sum | None:
    return it and _Sum({term: count * times for term, count in it.terms.items()}, it.number * times, it.within)


def _add_sums(one: _Sum, other: _Sum) -> _Sum:
    terms = {it: one.terms.get(it, 0) + other.terms.get(it, 0) for it in {**one.terms, **other.terms}}
    return _Sum(terms, one.number + other.number, {**one.within, **other.within})


def _range_of_sum(key: _Terms, within: Mapping[str, _Span]) -> _Span:
    """What a sum may come to by what its terms may be."""
    each = [sorted(times * bound for bound in within[term]) for term, times in key]
    return sum(it[0] for it in each), sum(it[1] for it in each)


def _comparison_text(it: AssumedCondition) -> bytes | None:
    """A condition as it holds, where it is one comparison."""
    if not isinstance(it.said, UnparsedText) or b"||" in it.said.text:
        return None
    return _comparison_negated_unless_wanted(it.said.text, it.wanted)


@remembered(1024)
def _comparison_negated_unless_wanted(text: bytes, wanted: bool) -> bytes | None:
    simple = _SIMPLE.fullmatch(text.strip(b"() \n"))
    if simple is None:
        return None
    operator = simple[2] if wanted else OTHERWISE[simple[2].decode()].encode()
    return b"%b %b %b" % (simple[1], operator, simple[3])
