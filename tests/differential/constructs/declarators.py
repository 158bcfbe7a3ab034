"""What a declaration declares: pointers to arrays, arrays of pointers, functions, several at once, aliases of them."""

from __future__ import annotations

from ..sketch import Sketch
from .showing import show_bytes, sized

BASES = (
    "int",
    "float",
    "double",
    "char",
    "unsigned short",
    "long unsigned",
    "short int",
    "const float",
    "volatile int",
    "int unsigned",
)


def draw(d: Sketch) -> None:
    d.random.choice((variables, variables, several, aliases, in_struct, local_types))(d)


def declarator(d: Sketch, name: str, depth: int = 2) -> str:
    """Around a name; what it makes may be kept in shared memory."""
    number = 1 + d.below(9)
    way = d.below(10)
    if depth == 0 or way == 0:
        return name
    if way == 1:
        return f"{name}[{number}]"
    if way == 2:
        return f"{name}[{number}][{1 + d.below(4)}]"
    if way == 3:
        return f"(*{name})[{number}]"
    if way == 4:
        return f"(*{name}[{number}])[{1 + d.below(9)}]"
    if way == 5:
        return f"(*{name})({d.pick('int', 'void', 'float, int', 'int (*)(char)')})"
    if way == 6:
        return f"(*{name}[{number}])({d.pick('', 'int', 'char *')})"
    if way == 7:
        return f"(*(*{name})[{number}])(int)"
    if way == 8:
        return f"({declarator(d, name, depth - 1)})"
    return f"*{declarator(d, name, depth - 1)}"


def plain_base(d: Sketch) -> str:
    return d.pick(*BASES[:7])


def variables(d: Sketch) -> None:
    lines = []
    for _ in range(1 + d.below(3)):
        name = d.name("v")
        written = declarator(d, name)
        base = plain_base(d)
        if written.startswith("*") and d.chance(0.3):
            base = d.pick("const float", "volatile int")
        words = d.pick(
            f"__shared__ {base}", f"static __shared__ {base}", f"{base} __shared__", f"__shared__ alignas(16) {base}"
        )
        lines.append(f"{words} {written}; /*={name}*/")
    kernel = d.kernel(lines)
    d.run(d.launch(kernel, d.threads()))


def several(d: Sketch) -> None:
    """One declaration of several variables."""
    names = [d.name("v") for _ in range(2 + d.below(3))]
    written = ", ".join(declarator(d, it) for it in names)
    kernel = d.kernel([f"__shared__ {plain_base(d)} {written}; " + " ".join(f"/*={it}*/" for it in names)])
    d.run(d.launch(kernel, d.threads()))


def aliases(d: Sketch) -> None:
    """Of arrays, pointers and functions."""
    name, base, number = d.name("alias"), plain_base(d), 1 + d.below(9)
    d.say(
        d.pick(
            f"typedef {base} {declarator(d, name)};",
            f"typedef {base} {name}[{number}], *{name}_p;",
            f"using {name} = {base} (*)[{number}];",
            f"using {name} = {base}[{number}];",
            f"using {name} = {base} (*[{number}])(int);",
            f"using {name} = {base} *;",
        )
    )
    if d.chance(0.3):
        show_bytes(d, f"sizeof({name})")
        return
    variable = d.name("v")
    written = d.pick(variable, f"{variable}[{1 + d.below(6)}]", f"*{variable}", f"(*{variable})[3]", f"*{variable}[2]")
    kernel = d.kernel([f"__shared__ {name} {written}; /*={variable}*/"])
    d.run(d.launch(kernel, d.threads(), f"2 * sizeof({name})"))


def in_struct(d: Sketch) -> None:
    """As members."""
    name = d.name("S")
    lines = [f"  {d.pick(*BASES[:7])} {declarator(d, f'm{at}')};" for at in range(1 + d.below(4))]
    d.say(f"struct {name} {{", *lines, "};")
    sized(d, name)


def local_types(d: Sketch) -> None:
    """Types of a body, unnamed ones, and objects that are declared with their type."""
    name, type_ = d.name("v"), d.name("Local")
    number = 1 + d.below(12)
    line = d.pick(
        f"__shared__ struct {{ {plain_base(d)} a; char b; }} {name}[{number}]; /*={name}*/",
        f"__shared__ union {{ {plain_base(d)} a; char b[{number}]; }} {name}; /*={name}*/",
        f"struct {type_} {{ {plain_base(d)} a[2]; char b; }}; __shared__ {type_} {name}[{number}]; /*={name}*/",
        f"typedef {plain_base(d)} {type_}[{number}]; __shared__ {type_} {name}[2]; /*={name}*/",
        f"using {type_} = {plain_base(d)}; __shared__ {type_} {name}[{number}]; /*={name}*/",
        f"constexpr int n = {number}; __shared__ {plain_base(d)} {name}[n + 1]; /*={name}*/",
        f"enum {{ n = {number} }}; __shared__ {plain_base(d)} {name}[2 * n]; /*={name}*/",
        f"__shared__ int {name}_a[{number}]; __shared__ decltype({name}_a) {name}; /*={name}_a*/ /*={name}*/",
    )
    kernel = d.kernel([line])
    d.run(d.launch(kernel, d.threads()))
