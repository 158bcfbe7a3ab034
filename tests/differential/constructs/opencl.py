"""OpenCL C: local memory, required sizes in all places, macros, C's integers and structs, sources included twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..sketch import Sketch
from . import conditionals, function_macros
from .integers import (
    INT,
    LONG,
    OPERATORS,
    UNSIGNED,
    UNSIGNED_LONG,
    Number,
    Type,
    Undefined,
    binary,
    cast,
    chosen,
    literal,
    size_of,
    unary,
)

TYPES = (
    Type("char", 8, True, 1),
    Type("uchar", 8, False, 1),
    Type("short", 16, True, 2),
    Type("ushort", 16, False, 2),
    INT,
    Type("uint", 32, False, 3),
    LONG,
    Type("ulong", 64, False, 4),
)
SCALARS = ("char", "uchar", "short", "int", "uint", "long", "float")
NAMES = (*SCALARS, "float2", "float3", "float4", "int8", "uchar16", "short3")
IDLE = ("", "{ }", "do { } while (0);", "if (p[1] > 3) p[2] = 1;", "barrier(CLK_LOCAL_MEM_FENCE);")
MACROS: tuple[Callable[[Sketch], str], ...] = (
    function_macros.arithmetic,
    function_macros.paste_number,
    function_macros.string,
    function_macros.rescanned,
    function_macros.variadic,
    function_macros.empty,
    function_macros.over_lines,
)


def kernel(d: Sketch, local: Sequence[str], attributes: str = "", name: str = "", body: Sequence[str] = ()) -> str:
    name = name or d.name("kern")
    word = d.pick("__kernel", "kernel")
    head = d.pick(f"{word} {attributes} void {name}", f"{word} void {attributes} {name}")
    d.say(f"{head}(__global int *p) {{", *(f"  {line}" for it in local for line in (it, *keep(it))))
    d.say(*(f"  {it}" for it in body), "  p[0] = 1;", "}")
    return name


def keep(declaration: str) -> list[str]:
    indexed = [f"{it}[get_local_id(0)] = p[1]; p[2] += {it}[p[3]];" for it in re.findall(r"/\*~(\w+)", declaration)]
    whole = [f"((volatile __local char *)&{it})[get_local_id(0)] = 1;" for it in re.findall(r"/\*=(\w+)", declaration)]
    return indexed + whole


def array(d: Sketch, extent: str, type_: str = "") -> str:
    """Indexed by the thread where it is of scalars."""
    name, scalar = d.name("tile"), not type_ and d.chance(0.8)
    type_ = type_ or d.pick(*(SCALARS if scalar else NAMES))
    return f"{d.pick('__local', 'local')} {type_} {name}[{extent}]; /*{'~' if scalar else '='}{name}*/"


def show(d: Sketch, number: str) -> None:
    """As an array's extent, or as a required size."""
    if d.chance(0.6):
        kernel(d, [array(d, number)])
    else:
        kernel(d, [], f"__attribute__((reqd_work_group_size({d.pick(f'{number}, 1, 1', f'1, {number}, 1')})))")


def macros(d: Sketch) -> None:
    show(d, f"({d.random.choice(MACROS)(d)})")


def conditions(d: Sketch) -> None:
    conditionals.defined(d, name := d.name("CHOSEN"), 2)
    for at, line in enumerate(d.text):
        if line.startswith("static constexpr int"):
            d.text[at] = line.replace("static constexpr int", "enum {").replace(";", " };")
    kernel(d, [array(d, name)])


def integers(d: Sketch) -> None:
    number = expression(d, 3).text
    compared = f"({number} / 2 < {d.pick('0', '-1', '1000', '0u')} ? {d.count()} : 96)"
    ranged = d.pick(f"({number} % 61 + 64)", compared, f"(({number} & 63) + 1)")
    if d.chance(0.3):
        name = d.name("CALC")
        d.say(d.pick(f"#define {name} {ranged}", f"enum {{ {name} = {ranged} }};"))
        ranged = name
    show(d, ranged)


def expression(d: Sketch, depth: int) -> Number:
    while True:
        try:
            return _drawn(d, depth)
        except Undefined:
            pass


def _drawn(d: Sketch, depth: int) -> Number:
    way = d.below(8) if depth and d.chance(0.9) else 8
    if way < 4:
        return of_c(binary(d.pick(*OPERATORS), _drawn(d, depth - 1), _drawn(d, depth - 1)))
    if way == 4:
        return of_c(chosen(_drawn(d, depth - 1), _drawn(d, depth - 1), _drawn(d, depth - 1)))
    if way < 8:
        inner = _drawn(d, depth - 1)
        inner = Number(f"({inner.text})", inner.type, inner.value)
        if way == 5:
            return cast(d.random.choice(TYPES), inner, 0)
        if way == 6:
            return size_of(inner.type, inner.text)
        return of_c(unary(d.pick("-", "~", "!", "+"), inner))
    if d.chance(0.2):
        return size_of(it := d.random.choice(TYPES), it.name)
    if d.chance(0.1):
        return Number("'a'", INT, 97)
    it = literal(d.random)
    suffix = it.text[len(it.text.rstrip("uUlL")) :]
    kinds = {"": INT, "u": UNSIGNED, "U": UNSIGNED, "l": LONG, "ul": UNSIGNED_LONG}
    if suffix not in kinds or "'" in it.text or "0b" in it.text:
        raise Undefined
    return Number(it.text, kinds[suffix], it.value)


def of_c(it: Number) -> Number:
    """Comparisons are int."""
    return Number(it.text, INT, it.value) if it.type.name == "bool" else it


def structs(d: Sketch) -> None:
    name = d.name("S")
    lines = [f"{d.pick(*NAMES)} m{at}{d.pick('', '', '[3]')};" for at in range(1 + d.below(5))]
    if d.chance(0.3):
        lines.append(f"{d.pick('struct', 'union')} {{ {d.pick(*NAMES)} a; char b[{1 + d.below(9)}]; }} inner;")
    body = f"{{ {' '.join(lines)} }}"
    packed = d.pick("", "", "__attribute__((packed))", "__attribute__((aligned(16)))")
    d.say(
        d.pick(
            f"typedef struct {packed} {body} {name};",
            f"typedef struct {body} {packed} {name};",
            f"typedef struct {packed} {name}_tag {body} {name};",
            f"typedef {d.pick('struct', 'union')} {body} {name};",
        )
    )
    kernel(d, [array(d, str(1 + d.below(9)), name) if d.chance(0.7) else array(d, f"sizeof({name})", "char")])


def attribute(d: Sketch) -> str:
    x, y = d.threads(256), 1
    if d.chance(0.4):
        x, y = d.random.choice(((8, 8), (16, 4), (32, 8), (10, 3), (1, 64)))
    number = str(x)
    if d.chance(0.4):
        name = d.name("SIZE")
        d.say(f"#define {name} {number}")
        number = name
    written = f"__attribute__((reqd_work_group_size({number}, {y}, 1)))"
    if d.chance(0.2):
        macro = d.name("REQUIRED")
        d.say(f"#define {macro} {written}")
        return macro
    return written


def sizes(d: Sketch) -> None:
    """On the definition, on a prototype only, on both; none."""
    way = d.below(4)
    given, name = attribute(d), d.name("kern")
    if way == 0:
        kernel(d, [])
    elif way == 1:
        kernel(d, [array(d, str(d.count()))], given)
    else:
        head = f"void {name}(__global int *p)"
        head = d.pick(f"__kernel {given} {head}", f"__kernel {head} {given}")
        d.say(f"{head};")
        kernel(d, [], given if way == 3 else "", name)


def local_memory(d: Sketch) -> None:
    """Several arrays, declarators, what a pointer parameter brings, macros that are statements, barriers."""
    lines = [array(d, str(d.count())) for _ in range(d.below(3))]
    name = d.name("v")
    lines.append(
        d.pick(
            f"__local int {name}, {name}b[{d.count()}]; /*={name}*/ /*={name}b*/",
            f"__local float {name}[{1 + d.below(9)}][{1 + d.below(9)}]; /*={name}*/",
            f"__local float *__local {name}[{1 + d.below(9)}]; /*={name}*/",
            f"__local struct {{ int a; char b; }} {name}[{1 + d.below(9)}]; /*={name}*/",
        )
    )
    check = d.name("CHECK")
    d.say(f"#define {check} {d.pick(*IDLE)}")
    mixed = [it for line in lines for it in (check, line)]
    kernel(d, mixed, body=[check] if d.chance() else ["barrier(CLK_LOCAL_MEM_FENCE);"])


def included(d: Sketch) -> None:
    """A source that is included for each of several kernels, whose names it makes of macros."""
    name, size = d.name("NAME"), d.name("SIZE")
    stem, join, tile = d.name("kern"), d.name("JOIN"), d.name("tile")
    joined = d.chance()
    if joined:
        d.say(f"#define {join}_(a, b) a##b", f"#define {join}(a, b) {join}_(a, b)")
    text = (
        f"__kernel __attribute__((reqd_work_group_size({size}, 1, 1)))\n"
        f"void {f'{join}({stem}_, {name})' if joined else name}(__global int *p) {{\n"
        f"  __local int {tile}[{size}];\n  ((volatile __local char *)&{tile})[get_local_id(0)] = 1;\n  p[0] = 1;\n}}\n"
        f"#undef {name}\n#undef {size}\n"
    )
    header = d.header("part", text, d.pick(".cl", ".clh"))
    for at in range(1 + d.below(3)):
        made = at if joined else d.name("kern")
        d.say(f"#define {name} {made}", f"#define {size} {d.threads(256)}", f'#include "{header}"')
