"""C++'s integers, as far as a drawn expression must be one that compiles: types, values, no undefined behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Type:
    name: str
    bits: int
    signed: bool
    rank: int

    def holds(self, value: int) -> bool:
        low = -(1 << (self.bits - 1)) if self.signed else 0
        return low <= value < low + (1 << self.bits)

    def wrapped(self, value: int) -> int:
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.signed and value >> (self.bits - 1) else value


BOOL = Type("bool", 1, False, 0)
INT = Type("int", 32, True, 3)
UNSIGNED = Type("unsigned", 32, False, 3)
LONG = Type("long", 64, True, 4)
UNSIGNED_LONG = Type("unsigned long", 64, False, 4)
LONG_LONG = Type("long long", 64, True, 5)
UNSIGNED_LONG_LONG = Type("unsigned long long", 64, False, 5)
CHAR = Type("char", 8, True, 1)
SMALL = (
    BOOL,
    CHAR,
    Type("signed char", 8, True, 1),
    Type("unsigned char", 8, False, 1),
    Type("short", 16, True, 2),
    Type("unsigned short", 16, False, 2),
)
TYPES = (*SMALL, INT, UNSIGNED, LONG, UNSIGNED_LONG, LONG_LONG, UNSIGNED_LONG_LONG)
SUFFIXES = {
    "": INT,
    "u": UNSIGNED,
    "U": UNSIGNED,
    "l": LONG,
    "ul": UNSIGNED_LONG,
    "ll": LONG_LONG,
    "ULL": UNSIGNED_LONG_LONG,
}


class Undefined(Exception):
    """The expression does not compile as a constant."""


@dataclass(frozen=True)
class Number:
    """An expression's text, its type and its value."""

    text: str
    type: Type
    value: int

    def converted(self, type_: Type) -> int:
        return int(self.value != 0) if type_ is BOOL else type_.wrapped(self.value)


def promoted(it: Type) -> Type:
    return INT if it.rank < INT.rank else it


def common(a: Type, b: Type) -> Type:
    a, b = promoted(a), promoted(b)
    if a.signed == b.signed:
        return a if a.rank >= b.rank else b
    unsigned, signed = (a, b) if b.signed else (b, a)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.bits > unsigned.bits:
        return signed
    return next(it for it in TYPES if it.rank == signed.rank and not it.signed)


def literal(random: Random) -> Number:
    value = random.choice((0, 1, 2, 3, 7, 8, 31, 32, 63, 64, 100, 127, 128, 200, 255, 256, 1000, 4096, 65535, 65536))
    suffix = random.choice(("", "", "", *SUFFIXES))
    text = random.choice((str(value), hex(value), f"0{value:o}", bin(value), f"{value:,}".replace(",", "'")))
    return Number(text + suffix, SUFFIXES[suffix], value)


def letter(random: Random) -> Number:
    text = random.choice(("a", "0", "Z", " ", "\\n", "\\0", "\\x41", "\\101", "\\xff", "\\377", "\\\\", "\\''"[:2]))
    values = {"\\n": 10, "\\0": 0, "\\x41": 65, "\\101": 65, "\\xff": -1, "\\377": -1, "\\\\": 92, "\\'": 39}
    return Number(f"'{text}'", CHAR, values.get(text, ord(text[0])))


def unary(operator: str, it: Number) -> Number:
    if operator == "!":
        return Number(f"!{it.text}", BOOL, int(it.value == 0))
    type_ = promoted(it.type)
    value = {"-": -it.value, "~": ~it.value, "+": it.value}[operator]
    return _in(f"{operator} {it.text}" if it.text[0] == operator else operator + it.text, type_, value)


def binary(operator: str, a: Number, b: Number) -> Number:
    text = f"({a.text} {operator} {b.text})"
    if operator in ("&&", "||"):
        both, either = a.value and b.value, a.value or b.value
        return Number(text, BOOL, int(bool(both if operator == "&&" else either)))
    if operator in ("<<", ">>"):
        return shift(text, operator, a, b)
    type_ = common(a.type, b.type)
    x, y = a.converted(type_), b.converted(type_)
    if operator in COMPARED:
        return Number(text, BOOL, int(COMPARED[operator](x, y)))
    if operator in "/%":
        if y == 0:
            raise Undefined
        quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        return _in(text, type_, quotient if operator == "/" else x - quotient * y)
    value = {"+": x + y, "-": x - y, "*": x * y, "&": x & y, "|": x | y, "^": x ^ y}[operator]
    return _in(text, type_, value)


COMPARED = {
    "<": int.__lt__,
    "<=": int.__le__,
    ">": int.__gt__,
    ">=": int.__ge__,
    "==": int.__eq__,
    "!=": int.__ne__,
}
OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&&", "||", *COMPARED)


def shift(text: str, operator: str, a: Number, b: Number) -> Number:
    type_ = promoted(a.type)
    if not 0 <= b.value < type_.bits:
        raise Undefined
    if operator == ">>":
        return Number(text, type_, a.converted(type_) >> b.value)
    value = a.converted(type_) << b.value
    if type_.signed and (a.value < 0 or not type_.holds(value)):  # C++20 defines it; older compilers warn
        raise Undefined
    return Number(text, type_, type_.wrapped(value))


def chosen(condition: Number, a: Number, b: Number) -> Number:
    """`?:` has the common type of both."""
    type_ = a.type if a.type is b.type else common(a.type, b.type)
    value = (a if condition.value else b).converted(type_)
    return Number(f"({condition.text} ? {a.text} : {b.text})", type_, value)


def cast(type_: Type, it: Number, form: int) -> Number:
    name = type_.name
    texts = (
        f"({name}){it.text}",
        f"static_cast<{name}>({it.text})",
        f"{name}({it.text})" if " " not in name else f"({name})({it.text})",
    )
    return Number(texts[form % 3], type_, it.converted(type_))


def size_of(type_: Type, text: str) -> Number:
    return Number(f"sizeof({text})", UNSIGNED_LONG, max(type_.bits // 8, 1))


def _in(text: str, type_: Type, value: int) -> Number:
    if type_.signed and not type_.holds(value):
        raise Undefined
    return Number(text, type_, type_.wrapped(value))
