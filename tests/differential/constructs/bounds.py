"""Bounds in all places: before and behind the type, on a declaration only, through macros, of template arguments."""

from __future__ import annotations

from ..sketch import Sketch


def draw(d: Sketch) -> None:
    d.random.choice((definition, definition, declaration, declaration, template, registers, template_declaration))(d)


def bound(d: Sketch, threads: int) -> str:
    number = str(threads)
    if d.chance(0.3):
        name = d.name("THREADS")
        d.say(
            d.pick(f"#define {name} {threads}", f"constexpr int {name} = {threads};", f"enum {{ {name} = {threads} }};")
        )
        number = name
    blocks = str(1 + d.below(2048 // threads))
    text = d.pick(
        f"__launch_bounds__({number})",
        f"__launch_bounds__({number}, {blocks})",
        f"__attribute__((launch_bounds({number})))",
        f"__attribute__((launch_bounds({number}, {blocks})))",
        f"__launch_bounds__({number}, {blocks}, {1 + d.below(8)})" if d.language == "cuda" else "",
        f"__launch_bounds__({number}, 0)",
    )
    if d.chance(0.2):
        macro = d.name("BOUNDS")
        d.say(f"#define {macro} {text}")
        return macro
    if d.chance(0.1):
        macro = d.name("BOUNDS")
        d.say(f"#define {macro}(...) __launch_bounds__(__VA_ARGS__)")
        return f"{macro}({number}, {blocks})"
    return text


def head(d: Sketch, bounds: str, name: str, *, defined: bool = False) -> str:
    forms = [
        f"__global__ void {bounds} {name}()",
        f"__global__ {bounds} void {name}()",
        f"{bounds} __global__ void {name}()",
        f"void __global__ {bounds} {name}()",
        f"static __global__ void {bounds} {name}()",
        f'extern "C" __global__ void {bounds} {name}()',
        f'extern "C" {bounds} __global__ void {name}()',
        f"__global__ void\n{bounds}\n{name}(void)",
    ]
    if not defined:
        forms.append(f"__global__ void {name}() {bounds}")
    return d.random.choice(forms)


def definition(d: Sketch) -> None:
    threads, name = d.threads(), d.name("kern")
    d.say(head(d, bound(d, threads), name, defined=True) + " {", "}")
    d.run(d.launch(name, d.count(threads)))


def declaration(d: Sketch) -> None:
    """The definition has none, and inherits them; or it has the same."""
    threads, name = d.threads(), d.name("kern")
    given = bound(d, threads)
    first = head(d, given, name)
    linkage = 'extern "C" ' if 'extern "C"' in first else "static " if first.startswith("static") else ""
    again = f"{linkage}__global__ void {d.pick('', '', given)} {name}()"
    between = [f"{linkage}__global__ void {name}();"] if d.chance(0.3) else []
    if d.chance(0.3):
        header = d.header("decl", f"#pragma once\n{first};\n", d.pick(".h", ".cuh"))
        d.say(f'#include "{header}"', *between, f"{again} {{", "}")
    elif d.chance(0.2):
        d.say(f"{again} {{", "}")
        return d.run(d.launch(name, 32))
    else:
        d.say(f"{first};", *between, f"{again} {{", "}")
    d.run(d.launch(name, d.count(threads)))


def template(d: Sketch) -> None:
    name = d.name("kern")
    given = d.pick(
        "__launch_bounds__(N)",
        "__launch_bounds__(N, M)",
        "__launch_bounds__(N * M)",
        "__launch_bounds__(N > 64 ? N : 64, M)",
        "__launch_bounds__(sizeof(T) * N)",
    )
    d.say(f"template <typename T, int N, int M = {1 + d.below(2)}>", f"__global__ void {given} {name}(T *p) {{", "}")
    for type_ in d.random.sample(("char", "float", "double"), 1 + d.below(2)):
        size = d.threads(128)
        d.run(d.launch(f"{name}<{type_}, {size}{d.pick('', ', 1')}>", size, None, f"({type_} *)nullptr"))


def template_declaration(d: Sketch) -> None:
    """Bounds of a template's declaration."""
    name = d.name("kern")
    parameters = d.pick("int N", "int N, typename T = float")
    d.say(f"template <{parameters}>", f"__global__ void __launch_bounds__(N) {name}();")
    d.say(
        f"template <{parameters.replace(' = float', '')}>",
        f"__global__ void {d.pick('', '__launch_bounds__(N)')} {name}() {{",
        "}",
    )
    for size in d.random.sample((64, 96, 128, 256), 1 + d.below(2)):
        d.run(d.launch(f"{name}<{size}>", size))


def registers(d: Sketch) -> None:
    """`__maxnreg__`, which does not go with `__launch_bounds__`."""
    name = d.name("kern")
    if d.language != "cuda":
        return definition(d)
    number = d.random.choice((24, 32, 40, 64, 80, 128, 255))
    given = f"__maxnreg__({number})"
    d.say(d.pick(f"__global__ void {given} {name}() {{", f"__global__ {given} void {name}() {{"), "}")
    d.run(d.launch(name, d.threads(256)))
