"""Enumerations: their enumerators' values and types, and how large they are."""

from __future__ import annotations

from ..sketch import Sketch
from .showing import show

UNDERLYING = ("", "", " : unsigned char", " : short", " : unsigned", " : long long", " : char", " : unsigned long")


def draw(d: Sketch) -> None:
    for _ in range(1 + d.below(2)):
        show(d, value(d))


def value(d: Sketch) -> str:
    return d.random.choice((enumerator, enumerator, size, large, member, compared))(d)


def body(d: Sketch, stem: str) -> tuple[str, list[str]]:
    """Enumerators of up to 200 or so, and their names."""
    names = [f"{stem}_{at}" for at in range(1 + d.below(4))]
    written = []
    for at, name in enumerate(names):
        given = ["", f" = {1 + d.below(60)}", f" = {1 + d.below(9)} << {d.below(3)}"]
        if at:
            given += [f" = {names[at - 1]} + {1 + d.below(9)}", f" = {names[0]} | {1 + d.below(9)}"]
        written.append(name + d.random.choice(given))
    written[0] = f"{names[0]} = {1 + d.below(40)}"
    return ", ".join(written) + d.pick("", ","), names


def enumerator(d: Sketch) -> str:
    name = d.name("E")
    text, names = body(d, name)
    scoped = d.chance(0.4)
    d.say(f"enum {'class ' if scoped else ''}{name}{d.pick(*UNDERLYING)} {{ {text} }};")
    chosen = d.random.choice(names)
    if scoped:
        return d.pick(f"int({name}::{chosen})", f"static_cast<unsigned>({name}::{chosen})", f"(int){name}::{chosen}")
    return d.pick(chosen, f"{name}::{chosen}", f"({chosen} + 1)", f"({chosen} * 2)")


def size(d: Sketch) -> str:
    name = d.name("E")
    text, names = body(d, name)
    scoped = d.chance(0.4)
    d.say(f"enum {d.pick('class', 'struct') if scoped else ''} {name}{d.pick(*UNDERLYING)} {{ {text} }};")
    return d.pick(f"sizeof({name})", f"sizeof({name}::{names[0]})", f"8 * sizeof({name})")


def large(d: Sketch) -> str:
    """Values that need a wider type, which then all enumerators have."""
    name = d.name("E")
    most = d.pick("0x7fffffff", "0x80000000", "4294967295u", "1ull << 40", "-1, other = 0x80000000", "~0ull", "-5")
    most = most.replace("other", f"{name}_other")
    d.say(f"enum {name} {{ {name}_low = 1, {name}_high = {most} }};")
    return d.pick(
        f"sizeof({name})",
        f"sizeof({name}_low)",
        f"({name}_low - 2 < 0 ? 48 : 80)",
        f"({name}_high > 0 ? 40 : 72)",
        f"(sizeof({name}_low + {name}_high) * 4)",
    )


def member(d: Sketch) -> str:
    name, type_ = d.name("E"), d.name("Holder")
    text, names = body(d, name)
    d.say(f"struct {type_} {{ enum {d.pick('', name)}{d.pick(*UNDERLYING[1:4])} {{ {text} }}; }};")
    return f"{type_}::{d.random.choice(names)}"


def compared(d: Sketch) -> str:
    """A typed enumeration is promoted as its type is."""
    name = d.name("E")
    d.say(f"enum {name}{d.pick(' : unsigned', ' : int', ' : unsigned char', '')} {{ {name}_a = 3 }};")
    return d.pick(
        f"({name}_a - 4 < 0 ? 32 : 96)",
        f"(-1 < {name}_a ? 40 : 56)",
        f"(~{name}_a < 0 ? 24 : 88)",
        f"sizeof(+{name}_a)",
    )
