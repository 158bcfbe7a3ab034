"""What an integer that is not known may be, in its type: C++'s conversions and arithmetic over sets and spans.

Conversions and unsigned arithmetic wrap; a program in which signed arithmetic overflows has no meaning, so no value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from operator import lshift, mul, rshift

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.syntax import integer_types
from occupancy_lsp.source.syntax.integer_types import (
    BOOL,
    COMPARISONS,
    SHIFTS,
    Integer,
    IntegerType,
    common_type,
    promoted_type,
    truncated_quotient,
)

_MOST = 16  # values that are told one by one; more are a span
_MOST_PAIRS = 64


@dataclass(frozen=True, slots=True)
class Range:
    """All that a value of `kind` may be: one of `among`, ascending, or if that is empty any of `least` to `most`."""

    kind: IntegerType
    least: int
    most: int
    among: tuple[int, ...] = ()


def range_of_numbers(numbers: Iterable[int], kind: IntegerType) -> Range:
    """Of numbers that the type can hold; a span where they are many."""
    each = sorted(set(numbers))
    return Range(kind, each[0], each[-1], tuple(each) if len(each) <= _MOST else ())


def range_between(kind: IntegerType, least: int, most: int) -> Range:
    """Any of that type where it cannot hold the ends: the values have wrapped."""
    if least < kind.least or most > kind.most:
        return Range(kind, kind.least, kind.most)
    return range_of_numbers((least,), kind) if least == most else Range(kind, least, most)


def range_of_type(kind: IntegerType) -> Range:
    return range_of_numbers((0, 1), kind) if kind.bits == 1 else Range(kind, kind.least, kind.most)


def clamped_range(it: Range, least: int, most: int) -> Range:
    """Where it is known to lie in there."""
    if it.among:
        return range_of_numbers([number for number in it.among if least <= number <= most] or it.among, it.kind)
    return (
        range_between(it.kind, max(it.least, least), min(it.most, most))
        if it.least <= most and least <= it.most
        else it
    )


def converted_range(it: Range, kind: IntegerType) -> Range:
    if kind.bits == 1:
        unlike = not it.least <= 0 <= it.most
        among = (int(bool(number)) for number in it.among or ((1,) if unlike else (0, 1)))
        return range_of_numbers(among, kind)
    return range_of_numbers(map(kind.wrapped, it.among), kind) if it.among else range_between(kind, it.least, it.most)


def union_range(one: Range, other: Range) -> Range:
    """Of both, in the type that C++ gives `c ? one : other`."""
    kind = common_type(one.kind, other.kind)
    one, other = converted_range(one, kind), converted_range(other, kind)
    if one.among and other.among:
        return range_of_numbers((*one.among, *other.among), kind)
    return range_between(kind, min(one.least, other.least), max(one.most, other.most))


def negated_range(it: Range) -> Range:
    nothing = range_of_numbers((0,), promoted_type(it.kind))
    return binary_result_range("-", nothing, it) or range_of_type(nothing.kind)


def min_or_max_range(name: str, one: Range, other: Range) -> Range:
    """`min` or `max` of two of one type."""
    pick: Callable[..., int] = min if name == "min" else max
    if one.among and other.among:
        return range_of_numbers((pick(a, b) for a, b in product(one.among, other.among)), one.kind)
    return range_between(one.kind, pick(one.least, other.least), pick(one.most, other.most))


def binary_result_range(operator: str, one: Range, other: Range) -> Range | None:
    """`one operator other`; None: not followed."""
    if operator == "&&":
        return _logical_and_range(one, other)
    if operator == "||":
        return logical_not_range(_logical_and_range(logical_not_range(one), logical_not_range(other)))
    kind = promoted_type(one.kind) if operator in SHIFTS else common_type(one.kind, other.kind)
    one = converted_range(one, kind)
    other = other if operator in SHIFTS else converted_range(other, kind)
    if one.among and other.among and len(one.among) * len(other.among) <= _MOST_PAIRS:
        numbers = {_binary_result_of_numbers(operator, a, b, kind) for a, b in product(one.among, other.among)} - {None}
        made = BOOL if operator in COMPARISONS else kind
        return range_of_numbers((n for n in numbers if n is not None), made) if numbers else None
    if operator in COMPARISONS:
        return _comparison_range(operator, one, other)
    ends = _SPANS[operator](one, other) if operator in _SPANS else None
    if ends is None or not (operator in _OVERFLOWING and kind.signed):
        return range_between(kind, *ends) if ends is not None else None
    least, most = max(ends[0], kind.least), min(ends[1], kind.most)
    return range_between(kind, least, most) if least <= most else None


_OVERFLOWING = frozenset("+-*")


def logical_not_range(it: Range) -> Range:
    return range_of_numbers((1 - number for number in converted_range(it, BOOL).among), BOOL)


def _logical_and_range(one: Range, other: Range) -> Range:
    return range_of_numbers(
        (a and b for a, b in product(converted_range(one, BOOL).among, converted_range(other, BOOL).among)), BOOL
    )


def _comparison_range(operator: str, one: Range, other: Range) -> Range:
    """Of two of one type, by their ends."""
    if operator in (">", "<="):
        one, other = other, one
    if operator in ("==", "!="):
        apart = one.most < other.least or other.most < one.least
        return range_of_numbers((int(operator == "!="),), BOOL) if apart else range_of_type(BOOL)
    found = (1,) if one.most < other.least else (0,) if one.least >= other.most else (0, 1)
    less = range_of_numbers(found, BOOL)
    return less if operator in ("<", ">") else logical_not_range(less)


def _binary_result_of_numbers(operator: str, a: int, b: int, kind: IntegerType) -> int | None:
    """None: the program has no meaning there."""
    found = integer_types.binary_result(operator, Integer(a, kind), Integer(b, kind))
    return found.number if found is not None else None


_Ends = tuple[int, int] | None


def _extremes_at_corners(get: Callable[[int, int], int], a: Range, b: Range) -> tuple[int, int]:
    """The ends of what rises or falls steadily in each operand."""
    found = [get(x, y) for x in (a.least, a.most) for y in (b.least, b.most)]
    return min(found), max(found)


def _quotient_ends(a: Range, b: Range) -> _Ends:
    """By 0 it has no meaning; by what may be below 0, it is no further from 0 than what is divided."""
    if b.least >= 0:
        least = max(b.least, 1)
        return _extremes_at_corners(lambda x, y: truncated_quotient(x, y) or 0, a, Range(b.kind, least, max(b.most, 1)))
    furthest = max(abs(a.least), abs(a.most))
    return -furthest, furthest


def _remainder_ends(a: Range, b: Range) -> _Ends:
    if b.least < 0:
        return None
    most = min(max(b.most - 1, 0), max(abs(a.least), abs(a.most)))
    return (0 if a.least >= 0 else -most), (most if a.most > 0 else 0)


def _make_shift_ends(shift: Callable[[int, int], int]) -> Callable[[Range, Range], _Ends]:
    def ends(a: Range, b: Range) -> _Ends:
        least, most = max(b.least, 0), min(b.most, a.kind.bits - 1)  # by others it has no meaning
        return _extremes_at_corners(shift, a, Range(b.kind, least, most)) if least <= most else None

    return ends


def _bitwise_and_ends(a: Range, b: Range) -> _Ends:
    ends = [it.most for it in (a, b) if it.least >= 0]
    return (0, min(ends)) if ends else None


def _bitwise_or_ends(a: Range, b: Range) -> _Ends:
    if a.least < 0 or b.least < 0:
        return None
    return 0, (1 << max(a.most, b.most).bit_length()) - 1


_SPANS: Mapping[str, Callable[[Range, Range], _Ends]] = {
    "+": lambda a, b: (a.least + b.least, a.most + b.most),
    "-": lambda a, b: (a.least - b.most, a.most - b.least),
    "*": lambda a, b: _extremes_at_corners(mul, a, b),
    "/": _quotient_ends,
    "%": _remainder_ends,
    "<<": _make_shift_ends(lshift),
    ">>": _make_shift_ends(rshift),
    "&": _bitwise_and_ends,
    "|": _bitwise_or_ends,
    "^": _bitwise_or_ends,
}
