"""`#if` and its kin: arithmetic in (u)intmax_t, names that are not defined, chains, nesting."""

from __future__ import annotations

from ..sketch import Sketch
from .integers import (
    LONG,
    OPERATORS,
    UNSIGNED_LONG,
    Number,
    Type,
    Undefined,
    binary,
    chosen,
    unary,
)
from .showing import show


def draw(d: Sketch) -> None:
    for _ in range(1 + d.below(2)):
        show(d, value(d))


def value(d: Sketch) -> str:
    name = d.name("CHOSEN")
    defined(d, name, 2)
    return name


def defined(d: Sketch, name: str, depth: int) -> None:
    """Exactly one of the branches defines the name."""

    def branch() -> None:
        if depth > 1 and d.chance(0.3):
            defined(d, name, depth - 1)
        elif d.chance(0.8):
            d.say(f"#define {name} {d.count(512)}")
        else:
            d.say(f"static constexpr int {name} = {d.count(512)};")

    first, further = head(d), [condition(d) for _ in range(d.below(3))]
    d.say(first)
    branch()
    for it in further:
        d.say(f"#elif {it}")
        branch()
    d.say("#else")
    branch()
    d.say("#endif")


def head(d: Sketch) -> str:
    known, unknown = d.name("KNOWN"), d.name("UNKNOWN")
    if d.chance(0.7):
        return f"#if {condition(d)}"
    d.say(f"#define {known}{d.pick('', ' 1', ' 0')}")
    if d.chance(0.3):
        d.say(f"#undef {known}")
    return d.pick(
        f"#ifdef {known}", f"#ifndef {known}", f"#ifdef {unknown}", f"#ifndef {unknown}", f"#if defined {known}"
    )


def condition(d: Sketch) -> str:
    while True:
        try:
            return _drawn(d, 3).text
        except Undefined:
            pass


def _drawn(d: Sketch, depth: int) -> Number:
    if depth == 0 or d.chance(0.1):
        return leaf(d)
    way = d.below(8)
    if way < 5:
        return widened(binary(d.pick(*OPERATORS), _drawn(d, depth - 1), _drawn(d, depth - 1)))
    if way == 5:
        return widened(chosen(_drawn(d, depth - 1), _drawn(d, depth - 1), _drawn(d, depth - 1)))
    inner = _drawn(d, depth - 1)
    return widened(unary(d.pick("-", "~", "!", "+"), Number(f"({inner.text})", inner.type, inner.value)))


def widened(it: Number) -> Number:
    """All are of intmax_t or uintmax_t."""
    type_: Type = LONG if it.type.signed or it.type.bits < 64 else UNSIGNED_LONG
    return Number(it.text, type_, it.value)


def leaf(d: Sketch) -> Number:
    way = d.below(8)
    number = d.random.choice((0, 1, 2, 5, 8, 31, 64, 100, 255, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 63) - 1))
    if way == 0:
        return Number(d.name("UNKNOWN"), LONG, 0)
    if way == 1:
        name = d.name("KNOWN")
        d.say(f"#define {name} {number}")
        return Number(name, LONG, number)
    if way == 2:
        name, is_defined = d.name("MAYBE"), d.chance()
        if is_defined:
            d.say(f"#define {name}")
        return Number(d.pick(f"defined({name})", f"defined {name}"), LONG, int(is_defined))
    if way == 3:
        words = (("true", LONG, 1), ("false", LONG, 0)) if d.language != "opencl" else ()
        return Number(*d.random.choice((("'a'", LONG, 97), ("'\\n'", LONG, 10), *words)))
    if way == 4:
        return Number(f"{number}u", UNSIGNED_LONG, number)
    if way == 5:
        name = d.name("CALL")
        d.say(f"#define {name}(x) (x + 1)")
        return Number(f"{name}({number >> 1})", LONG, (number >> 1) + 1)
    return Number(str(number) + d.pick("", "", "L", "ll"), LONG, number)
