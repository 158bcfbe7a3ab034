"""C++'s integer types: what literals are of, conversions, and arithmetic on single values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.record import Record


class IntegerType(Record, frozen=True):
    """Its width in bits and whether it is signed."""

    bits: int
    signed: bool

    @property
    def least(self) -> int:
        return -(1 << self.bits - 1) if self.signed else 0

    @property
    def most(self) -> int:
        return (1 << self.bits - self.signed) - 1

    def wrapped(self, number: int) -> int:
        most = (1 << self.bits) - 1
        half = (most + 1) >> 1 if self.signed else 0
        return ((number + half) & most) - half


BOOL = IntegerType(1, False)
CHAR = IntegerType(7, False)  # plain `char`, signed or not as the platform has it: the values that both have
INT, UNSIGNED, LONG, UNSIGNED_LONG = (IntegerType(bits, signed) for bits in (32, 64) for signed in (True, False))
REAL = IntegerType(0, True)  # no integer: a floating-point type, which wins over all others
_NAMED: Mapping[str, IntegerType] = {"bool": BOOL, "char": CHAR}
_WIDE = (INT, UNSIGNED, LONG, UNSIGNED_LONG)


class Integer(Record, frozen=True):
    """A value. `type` None: not known; it is one that can hold the number."""

    number: int
    type: IntegerType | None


def literal_type(value: int, suffix: str, decimal: bool = True) -> IntegerType | None:
    """Return the first type of those that the suffix and base allow that holds the value; None: no standard type.

    "bool" and "char", which no literal has as a suffix, stand for those that have the type.
    `l` is 64 bits wide, as `ll` and `z` are; where `long` has 32 no value that it holds comes out otherwise.
    """
    if not suffix and value <= INT.most:
        return INT
    if suffix in _NAMED:
        return _NAMED[suffix]
    wide, unsigned = "l" in suffix or "z" in suffix, "u" in suffix
    allowed = [it for it in _WIDE if (it.bits == 64 or not wide) and (not it.signed or not unsigned)]
    return next((it for it in allowed if value <= it.most and (it.signed or unsigned or not decimal)), None)


def smallest_type_holding(numbers: Sequence[int]) -> IntegerType | None:
    """Return the first type that holds them all, as enumerations without a type of their own are promoted to it."""
    return next((it for it in _WIDE if all(it.least <= number <= it.most for number in numbers)), None)


def promoted_type(kind: IntegerType) -> IntegerType:
    return kind if kind.bits >= 32 or kind == REAL else INT


def common_type(one: IntegerType, other: IntegerType) -> IntegerType:
    """Return the type that C++'s usual arithmetic conversions give."""
    if REAL in (one, other):
        return REAL
    one, other = promoted_type(one), promoted_type(other)
    if one.signed == other.signed or one.bits != other.bits:
        return max(one, other, key=lambda it: it.bits)
    return IntegerType(one.bits, False)


def type_of_conditional(one: IntegerType | None, other: IntegerType | None) -> IntegerType | None:
    """Return the type of `c ? one : other`."""
    if one == other or one is None or other is None:
        return REAL if REAL in (one, other) else one if one == other else None
    return common_type(one, other)


def convert_to_type(number: int, kind: IntegerType) -> int | None:
    """Return the number as a value of the type; None: the platform decides, or it is no integer's."""
    if kind == BOOL:
        return int(bool(number))
    if kind.least <= number <= kind.most:
        return number
    return None if kind in (CHAR, REAL) else kind.wrapped(number)


def truncated_quotient(a: int, b: int) -> int | None:
    if b == 0:
        return None
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int) -> int | None:
    whole = truncated_quotient(a, b)
    return None if whole is None else a - whole * b


# On numbers without bounds; None: undefined.
BINARY: Mapping[str, Callable[[int, int], int | None]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": truncated_quotient,
    "%": _remainder,
    "<<": lambda a, b: a << b if 0 <= b < 64 else None,
    ">>": lambda a, b: a >> b if 0 <= b < 64 else None,
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
COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!="))
SHIFTS = frozenset(("<<", ">>"))
_OVERFLOWING = frozenset("+-*/%")  # undefined where a signed type cannot hold the result


def result_type(operator: str, one: IntegerType, other: IntegerType) -> IntegerType:
    """Return the type of `one operator other`."""
    if operator in COMPARISONS or operator in ("&&", "||"):
        return BOOL
    return promoted_type(one) if operator in SHIFTS else common_type(one, other)


def binary_result(operator: str, one: Integer, other: Integer) -> Integer | None:
    """Return `one operator other`; None: it is undefined, or a type that is not known decides it."""
    if one.type is None or other.type is None:
        return _same_for_all_types(lambda a, b: binary_result(operator, a, b), one, other)
    if one.type == other.type == INT:
        kind, a, b = INT, one.number, other.number
    elif operator in SHIFTS:
        kind, a, b = promoted_type(one.type), one.number, other.number
    else:
        kind = common_type(one.type, other.type)
        a, b = kind.wrapped(one.number), kind.wrapped(other.number)
    if operator in SHIFTS and not 0 <= b < kind.bits:
        return None
    number = BINARY[operator](a, b)
    if number is None:
        return None
    if operator in COMPARISONS:
        return Integer(number, BOOL)
    if not kind.least <= number <= kind.most:
        if operator in _OVERFLOWING and kind.signed:
            return None
        number = kind.wrapped(number)
    return Integer(number, kind)


def unary_result(operator: str, value: Integer) -> Integer | None:
    """Return `operator value`, of an operator before it; None: as of `binary_result`."""
    if operator == "!":
        return Integer(int(not value.number), BOOL)
    if value.type is None:
        return _same_for_all_types(lambda it: unary_result(operator, it), value)
    kind = promoted_type(value.type)
    number = UNARY[operator](value.number)
    if kind.signed and number > kind.most:
        return None  # the least value has no counterpart
    return Integer(kind.wrapped(number), kind)


def _same_for_all_types(calculate: Callable[..., Integer | None], *operands: Integer) -> Integer | None:
    """Return what comes out for all types that may hold the operands, if that is one number."""
    choices = [_possible_types(it) for it in operands]
    results = {calculate(*map(Integer, (it.number for it in operands), kinds)) for kinds in product(*choices)}
    numbers = {it.number if it is not None else None for it in results}
    if len(numbers) != 1 or None in numbers:
        return None
    kinds = {it.type for it in results if it is not None}
    (number,) = numbers
    return Integer(number or 0, kinds.pop() if len(kinds) == 1 else None)


@remembered(512)
def _possible_types(value: Integer) -> tuple[IntegerType, ...]:
    if value.type is not None:
        return (value.type,)
    return tuple(it for it in _WIDE if it.least <= value.number <= it.most)
