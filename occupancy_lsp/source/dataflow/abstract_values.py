"""Values of host code as an abstract interpreter knows them: one each, or `None`, which is any."""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from occupancy_lsp.core.regex import regex

Place = tuple[int, tuple["str | int | None", ...]]  # a cell of memory, and the members and indices in what it holds


class Unsigned(int):
    """A number of an unsigned type."""


class String(str):
    """A `std::string`; a literal is a pointer."""


class NonNull:
    """What compares unequal to a null pointer, or holds a value, and is not known otherwise."""


class Pointer(NamedTuple):
    to: Place


class Named(NamedTuple):
    """A function, by its name."""

    function: str


class Record(NamedTuple):
    kind: str
    members: Mapping[str, Value]


class Elements(NamedTuple):
    """An array or a container. `items` None: not known how many, nor which. `decays`: it is an array."""

    items: tuple[Value, ...] | None
    decays: bool = False


class Closure(NamedTuple):
    """A lambda: where its text starts, and the variables that it sees there, by number."""

    start: int
    around: int


Value: TypeAlias = int | float | str | NonNull | Pointer | Named | Record | Elements | Closure | None
State = dict[int, Value]  # by cell
NONNULL = NonNull()
_LARGEST = 1 << 31
_WIDTHS = {"char": 8, "short": 16, "int": 32, "long": 64}
_EXACT = regex(r"(?:std::)?(?P<unsigned>u?)int(?P<bits>8|16|32|64)_t")
_UNSIGNED = regex(r"(?:std::)?size_t|uintptr_t|uint|uchar|ushort|ulong|dim_t")
_QUALIFIERS = regex(r"\b(?:const|volatile|static|constexpr|inline|register|mutable|thread_local|struct|class|enum)\b|&")


def join_values(one: Value, other: Value) -> Value:
    """What is known of either."""
    if one is other or (type(one) is type(other) and one == other):
        return one
    if isinstance(one, Record) and isinstance(other, Record) and one.kind == other.kind:
        names = one.members.keys() & other.members.keys()
        return Record(one.kind, {it: join_values(one.members[it], other.members[it]) for it in names})
    if isinstance(one, Elements) and isinstance(other, Elements):
        if one.items is None or other.items is None or len(one.items) != len(other.items):
            return Elements(None, one.decays)
        return Elements(tuple(map(join_values, one.items, other.items)), one.decays)
    if truth(one) is True and truth(other) is True and not isinstance(one, int | float | Record):
        return NONNULL
    return None


def join_states(one: State | None, other: State | None) -> State | None:
    if one is None or other is None:
        return one if other is None else other
    return {cell: join_values(one[cell], other[cell]) if cell in one and cell in other else either.get(cell)
            for either in ({**one, **other},) for cell in either}  # fmt: skip


def truth(value: Value) -> bool | None:
    if isinstance(value, String | Record | Elements) or value is None:
        return None
    return bool(value) if isinstance(value, int | float) else True


def unqualified_type(said: str) -> str:
    return " ".join(_QUALIFIERS.sub(" ", said).split()).removeprefix("::")


def convert_to_type(kind: str, value: Value) -> Value:
    """A number or string as a value of a type, written without qualifiers."""
    if not isinstance(value, int | float | str):
        return value
    if isinstance(value, str):
        return String(value) if kind.endswith("string") else value
    if kind == "bool":
        return int(bool(value))
    if kind in ("float", "double", "long double"):
        return round_to_float(float(value)) if kind == "float" else float(value)
    bits, unsigned = _integer_width_and_sign(kind)
    if not bits:
        return value
    if value != value or abs(value) == float("inf"):
        return None
    number = int(value) % (1 << bits)
    if unsigned:
        return Unsigned(number)
    return number - (1 << bits) if number >> (bits - 1) else number


def round_to_float(value: float) -> Value:
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return None


def _integer_width_and_sign(kind: str) -> tuple[int, bool]:
    """The bits of an integer type, 0 of another, and whether it is unsigned."""
    exact = _EXACT.fullmatch(kind)
    if exact is not None:
        return int(exact["bits"]), bool(exact["unsigned"])
    if _UNSIGNED.fullmatch(kind):
        return 64 if kind.endswith("size_t") else {"uchar": 8, "ushort": 16}.get(kind, 32), True
    words = kind.split()
    if not words or not {*words} <= {*_WIDTHS, "unsigned", "signed"}:
        return 0, False
    return next((_WIDTHS[it] for it in ("char", "short", "long") if it in words), 32), "unsigned" in words


_ARITHMETIC: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
}  # fmt: skip
_BITS: Mapping[str, Callable[[int, int], int]] = {
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def apply_binary_operator(sign: str, one: Value, other: Value) -> Value:
    """What an operator makes of two values."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        return _apply_to_numbers(sign, one, other)
    if isinstance(one, Pointer) and isinstance(other, int) and sign in ("+", "-"):
        return advance_pointer(one, other if sign == "+" else -other)
    if sign in ("==", "!="):
        same = _are_equal(one, other)
        return None if same is None else int(same is (sign == "=="))
    if sign == "+" and isinstance(one, str) and isinstance(other, str):
        return String(one + other)
    return None


def advance_pointer(pointer: Pointer, by: int | None) -> Pointer:
    """To another element, of any if that is not known."""
    cell, path = pointer.to
    if by == 0:
        return pointer
    if not path or not isinstance(path[-1], int):
        return Pointer((cell, (*path[:-1], None)))
    return Pointer((cell, (*path[:-1], path[-1] + by if by is not None else None)))


def forgotten_value(value: Value) -> Value:
    """What is known of it once it may hold anything."""
    return Elements(None, value.decays) if isinstance(value, Elements) else None


def _are_equal(one: Value, other: Value) -> bool | None:
    for null, it in ((one, other), (other, one)):
        if null == 0 and isinstance(null, int) and not isinstance(it, int | float) and truth(it) is True:
            return False
    if isinstance(one, str) and isinstance(other, str) and (isinstance(one, String) or isinstance(other, String)):
        return str(one) == str(other)
    if isinstance(one, Pointer) and isinstance(other, Pointer):
        return one == other
    return None


def _apply_to_numbers(sign: str, one: float, other: float) -> Value:
    unsigned = isinstance(one, Unsigned) or isinstance(other, Unsigned)
    if unsigned and (one < 0 or other < 0):
        return None
    compared = _COMPARISONS.get(sign)
    if compared is not None:
        return int(compared(one, other))
    found: float | None = None
    if sign in _ARITHMETIC:
        found = _ARITHMETIC[sign](one, other)
    elif sign in ("/", "%") and other:
        found = _divide_or_remainder(sign, one, other)
    elif sign in _BITS and isinstance(one, int) and isinstance(other, int):
        found = _BITS[sign](one, other) if sign in "&|^" or (0 <= other < 32 and one >= 0) else None
    if found is None or isinstance(found, float):
        return found
    if not -_LARGEST <= found < _LARGEST or (unsigned and found < 0):
        return None
    return Unsigned(found) if unsigned else found


def _divide_or_remainder(sign: str, one: float, other: float) -> float | None:
    if isinstance(one, float) or isinstance(other, float):
        return one / other if sign == "/" else None
    quotient = abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)
    return quotient if sign == "/" else one - quotient * other


def read_place(state: State, place: Place) -> Value:
    cell, path = place
    value = state.get(cell)
    for step in path:
        if isinstance(value, Record) and isinstance(step, str):
            value = value.members.get(step)
        elif isinstance(value, Elements) and isinstance(step, int) and value.items and 0 <= step < len(value.items):
            value = value.items[step]
        else:
            return None
    return value


def write_place(state: State, place: Place, value: Value) -> None:
    cell, path = place
    state[cell] = _with_value_at_path(state.get(cell), path, value)


def _with_value_at_path(whole: Value, path: tuple[str | int | None, ...], value: Value) -> Value:
    if not path:
        return value
    step = path[0]
    if isinstance(whole, Record) and isinstance(step, str):
        return Record(
            whole.kind, {**whole.members, step: _with_value_at_path(whole.members.get(step), path[1:], value)}
        )
    if isinstance(whole, Elements) and whole.items is not None:
        if isinstance(step, int) and 0 <= step < len(whole.items):
            changed = _with_value_at_path(whole.items[step], path[1:], value)
            return Elements((*whole.items[:step], changed, *whole.items[step + 1 :]), whole.decays)
        return Elements((None,) * len(whole.items), whole.decays)
    return Elements(None, whole.decays) if isinstance(whole, Elements) else None
