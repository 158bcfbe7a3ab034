"""What an integer that is not known may be, in its type: C++'s conversions and arithmetic over sets and spans.

Conversions and unsigned arithmetic wrap; a program in which signed arithmetic overflows has no meaning, so no value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product

from occupancy_lsp.core.dataclass import dataclass

_MOST = 16  # values that are told one by one; more are a span
_MOST_PAIRS = 64


@dataclass(frozen=True, slots=True)
class Kind:
    """An integer's type: its width and whether it is signed."""

    bits: int
    signed: bool

    @property
    def least(self) -> int:
        return -(1 << self.bits - 1) if self.signed else 0

    @property
    def most(self) -> int:
        return (1 << self.bits - self.signed) - 1

    def wrapped(self, number: int) -> int:
        return (number - self.least) % (1 << self.bits) + self.least


INT, UNSIGNED, LONG, UNSIGNED_LONG = Kind(32, True), Kind(32, False), Kind(64, True), Kind(64, False)
KINDS: Mapping[str, Kind] = {
    "bool": Kind(1, False),
    "signed char": Kind(8, True),
    "unsigned char": Kind(8, False),
    "short": Kind(16, True),
    "unsigned short": Kind(16, False),
    "int": INT,
    "unsigned int": UNSIGNED,
    **dict.fromkeys(("long", "long long"), LONG),
    **dict.fromkeys(("unsigned long", "unsigned long long"), UNSIGNED_LONG),
}


@dataclass(frozen=True, slots=True)
class Range:
    """All that a value of `kind` may be: one of `among`, ascending, or if that is empty any of `least` to `most`."""

    kind: Kind
    least: int
    most: int
    among: tuple[int, ...] = ()


def one_of(numbers: Iterable[int], kind: Kind) -> Range:
    """Of numbers that the type can hold; a span where they are many."""
    each = sorted(set(numbers))
    return Range(kind, each[0], each[-1], tuple(each) if len(each) <= _MOST else ())


def span(kind: Kind, least: int, most: int) -> Range:
    """Any of that type where it cannot hold the ends: the values have wrapped."""
    if least < kind.least or most > kind.most:
        return Range(kind, kind.least, kind.most)
    return one_of((least,), kind) if least == most else Range(kind, least, most)


def any_of(kind: Kind) -> Range:
    return one_of((0, 1), kind) if kind.bits == 1 else Range(kind, kind.least, kind.most)


def within(it: Range, least: int, most: int) -> Range:
    """Where it is known to lie in there."""
    if it.among:
        return one_of([number for number in it.among if least <= number <= most] or it.among, it.kind)
    return span(it.kind, max(it.least, least), min(it.most, most)) if it.least <= most and least <= it.most else it


def converted(it: Range, kind: Kind) -> Range:
    if kind.bits == 1:
        return one_of((int(bool(number)) for number in it.among), kind) if it.among else any_of(kind)
    return one_of(map(kind.wrapped, it.among), kind) if it.among else span(kind, it.least, it.most)


def union(one: Range, other: Range) -> Range:
    """Of both, in the type that C++ gives `c ? one : other`."""
    kind = common(one.kind, other.kind)
    one, other = converted(one, kind), converted(other, kind)
    if one.among and other.among:
        return one_of((*one.among, *other.among), kind)
    return span(kind, min(one.least, other.least), max(one.most, other.most))


def promoted(kind: Kind) -> Kind:
    return kind if kind.bits >= 32 else INT


def common(one: Kind, other: Kind) -> Kind:
    """The type that C++'s usual arithmetic conversions give."""
    one, other = promoted(one), promoted(other)
    if one.signed == other.signed or one.bits != other.bits:
        return max(one, other, key=lambda it: it.bits)
    return Kind(one.bits, False)


def negated(it: Range) -> Range:
    nothing = one_of((0,), promoted(it.kind))
    return calculated("-", nothing, it) or any_of(nothing.kind)


def choice(name: str, one: Range, other: Range) -> Range:
    """`min` or `max` of two of one type."""
    pick: Callable[..., int] = min if name == "min" else max
    if one.among and other.among:
        return one_of((pick(a, b) for a, b in product(one.among, other.among)), one.kind)
    return span(one.kind, pick(one.least, other.least), pick(one.most, other.most))


def calculated(operator: str, one: Range, other: Range) -> Range | None:
    """`one operator other`; None: not followed."""
    if operator in _TRUTHS:
        return any_of(Kind(1, False))
    kind = promoted(one.kind) if operator in ("<<", ">>") else common(one.kind, other.kind)
    one = converted(one, kind)
    other = other if operator in ("<<", ">>") else converted(other, kind)
    if one.among and other.among and len(one.among) * len(other.among) <= _MOST_PAIRS:
        numbers = {_one_by_one(operator, a, b, kind) for a, b in product(one.among, other.among)} - {None}
        return one_of((n for n in numbers if n is not None), kind) if numbers else None
    ends = _SPANS[operator](one, other) if operator in _SPANS else None
    if ends is None or not (operator in _OVERFLOWING and kind.signed):
        return span(kind, *ends) if ends is not None else None
    least, most = max(ends[0], kind.least), min(ends[1], kind.most)
    return span(kind, least, most) if least <= most else None


_OVERFLOWING = frozenset("+-*")
_TRUTHS = frozenset(("<", ">", "<=", ">=", "==", "!=", "&&", "||"))


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _one_by_one(operator: str, a: int, b: int, kind: Kind) -> int | None:
    """None: the program has no meaning there."""
    if (operator in ("/", "%") and b == 0) or (operator in ("<<", ">>") and not 0 <= b < kind.bits):
        return None
    match operator:
        case "/":
            number = _quotient(a, b)
        case "%":
            number = a - _quotient(a, b) * b
        case _:
            number = _PLAIN[operator](a, b)
    if operator in _OVERFLOWING and kind.signed and not kind.least <= number <= kind.most:
        return None
    return kind.wrapped(number)


_PLAIN: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "&": lambda a, b: a & b,
    "^": lambda a, b: a ^ b,
    "|": lambda a, b: a | b,
}
_Ends = tuple[int, int] | None


def _of_corners(get: Callable[[int, int], int], a: Range, b: Range) -> tuple[int, int]:
    """The ends of what rises or falls steadily in each operand."""
    found = [get(x, y) for x in (a.least, a.most) for y in (b.least, b.most)]
    return min(found), max(found)


def _divided(a: Range, b: Range) -> _Ends:
    return _of_corners(_quotient, a, b) if b.least > 0 else None


def _remainder(a: Range, b: Range) -> _Ends:
    if b.least <= 0:
        return None
    most = min(b.most - 1, max(abs(a.least), abs(a.most)))
    return (0 if a.least >= 0 else -most), (most if a.most > 0 else 0)


def _shifted(left: bool) -> Callable[[Range, Range], _Ends]:
    def ends(a: Range, b: Range) -> _Ends:
        least, most = max(b.least, 0), min(b.most, a.kind.bits - 1)  # by others it has no meaning
        return _of_corners(_PLAIN["<<" if left else ">>"], a, Range(b.kind, least, most)) if least <= most else None

    return ends


def _both(a: Range, b: Range) -> _Ends:
    ends = [it.most for it in (a, b) if it.least >= 0]
    return (0, min(ends)) if ends else None


def _either(a: Range, b: Range) -> _Ends:
    if a.least < 0 or b.least < 0:
        return None
    return 0, (1 << max(a.most, b.most).bit_length()) - 1


_SPANS: Mapping[str, Callable[[Range, Range], _Ends]] = {
    "+": lambda a, b: (a.least + b.least, a.most + b.most),
    "-": lambda a, b: (a.least - b.most, a.most - b.least),
    "*": lambda a, b: _of_corners(_PLAIN["*"], a, b),
    "/": _divided,
    "%": _remainder,
    "<<": _shifted(True),
    ">>": _shifted(False),
    "&": _both,
    "|": _either,
    "^": _either,
}
