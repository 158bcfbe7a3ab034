"""Expressions of integers of all widths: promotion, usual conversions, narrowing, `?:`, shifts, comparisons, sizeof."""

from __future__ import annotations

from ..sketch import Sketch
from .integers import (
    OPERATORS,
    SMALL,
    TYPES,
    Number,
    Undefined,
    binary,
    cast,
    chosen,
    letter,
    literal,
    size_of,
    unary,
)
from .showing import show


def draw(d: Sketch) -> None:
    for _ in range(1 + d.below(2)):
        show(d, value(d))


def value(d: Sketch) -> str:
    number = in_range(d, expression(d, 3))
    where = d.below(6)
    if where == 0:
        return f"({number})"
    name = d.name("calc")
    if where == 1:
        d.say(f"#define {name} ({number})")
    elif where == 2:
        d.say(f"enum {{ {name} = {number} }};")
    elif where == 3:
        d.say(f"static const {d.pick('int', 'unsigned', 'short', 'long')} {name} = {number};")
    else:
        d.say(f"constexpr {d.pick('int', 'unsigned', 'auto', 'unsigned short')} {name} = {number};")
    return name


def in_range(d: Sketch, it: Number) -> str:
    """As text, of a number from 1 to 1,024 that depends on all of its bits and on whether it is signed."""
    way = d.below(4)
    if way == 0:
        return f"{it.text} {d.pick('<', '>', '==')} {expression(d, 1).text} ? {d.count()} : {d.count()}"
    if way == 1:
        return f"({it.text} % 61 + 64)"
    if way == 2:
        return f"({it.text} / 2 < {d.pick('0', '-1', '1000', '0u', '1l')} ? {d.count()} : 96)"
    return f"(({it.text} & {d.pick('63', '0x3f', '127u', '255ull')}) + {1 + d.below(9)})"


def expression(d: Sketch, depth: int) -> Number:
    """One that is defined; drawn again until it is."""
    while True:
        try:
            return _drawn(d, depth)
        except Undefined:
            pass


def _drawn(d: Sketch, depth: int) -> Number:
    if depth == 0 or d.chance(0.1):
        return leaf(d)
    way = d.below(10)
    if way < 5:
        return binary(d.pick(*OPERATORS), _drawn(d, depth - 1), _drawn(d, depth - 1))
    if way == 5:
        return chosen(_drawn(d, depth - 1), _drawn(d, depth - 1), _drawn(d, depth - 1))
    if way == 6:
        return cast(d.random.choice(TYPES), parenthesised(_drawn(d, depth - 1)), d.below(3))
    if way == 7:
        inner = _drawn(d, depth - 1)
        return size_of(inner.type, inner.text)
    if way == 8:
        return converted_by_call(d, _drawn(d, depth - 1))
    return unary(d.pick("-", "~", "!", "+"), parenthesised(_drawn(d, depth - 1)))


def parenthesised(it: Number) -> Number:
    return Number(f"({it.text})", it.type, it.value)


def leaf(d: Sketch) -> Number:
    way = d.below(8)
    if way == 0:
        return letter(d.random)
    if way == 1:
        type_ = d.random.choice(TYPES)
        return size_of(type_, type_.name)
    if way == 2:
        type_, given = d.random.choice(TYPES), d.random.choice((unary("-", literal(d.random)), literal(d.random)))
        name = d.name("var")
        d.say(f"static constexpr {type_.name} {name} = ({type_.name}){given.text};")
        return Number(name, type_, given.converted(type_))
    if way == 3:
        return Number(*d.random.choice((("true", SMALL[0], 1), ("false", SMALL[0], 0))))
    return literal(d.random)


def converted_by_call(d: Sketch, it: Number) -> Number:
    """A function's parameter and result convert."""
    name, taken, given = d.name("conv"), d.random.choice(TYPES), d.random.choice(TYPES)
    d.say(f"__host__ __device__ constexpr {given.name} {name}({taken.name} x) {{ return x; }}")
    inner = Number("", taken, it.converted(taken))
    return Number(f"{name}({it.text})", given, inner.converted(given))
