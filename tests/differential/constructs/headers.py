"""Headers: with guards, included once or several times with other macros, lists that are expanded (X-macros)."""

from __future__ import annotations

from ..sketch import Sketch, keep
from .showing import show


def draw(d: Sketch) -> None:
    d.random.choice((constants, again, kernels, x_macro, x_header, generated))(d)


def constants(d: Sketch) -> None:
    """Constants of a header, which may be guarded and may include another one."""
    number = value(d)
    show(d, number)
    if d.chance():
        d.say(d.text[-1] if d.text[-1].startswith("#include") else "")
    show(d, f"({number} + {1 + d.below(9)})")


def value(d: Sketch) -> str:
    name, guard = d.name("held"), d.name("GUARD")
    text = d.pick(
        f"#define {name} {d.count()}", f"static constexpr int {name} = {d.count()};", f"enum {{ {name} = 3 * 7 }};"
    )
    if d.chance(0.3):
        inner = d.header("inner", f"#pragma once\n#define {guard}_IN {d.count(100)}\n")
        text, name = f'#include "{inner}"\n', f"{guard}_IN"
    guarded = d.pick(f"#pragma once\n{text}\n", f"#ifndef {guard}\n#define {guard}\n{text}\n#endif  // {guard}\n")
    header = d.header("held", guarded, d.pick(".h", ".cuh", ".hpp"))
    d.say(*[f'#include "{header}"'] * (1 + d.below(2)))
    return name


def again(d: Sketch) -> None:
    """A header that computes a constant from macros, included with others."""
    size, name = d.name("SIZE"), d.name("NAME")
    header = d.header(
        "again", f"static constexpr int {name} = {size} * {2 + d.below(3)};\n#undef {size}\n#undef {name}\n"
    )
    for _ in range(2):
        made = d.name("made")
        d.say(f"#define {size} {8 + d.below(100)}", f"#define {name} {made}", f'#include "{header}"')
        show(d, made)


def kernels(d: Sketch) -> None:
    """A header with a kernel, whose name and sizes are the including file's."""
    name, size = d.name("NAME"), d.name("SIZE")
    bounds = d.pick("", f"__launch_bounds__({size}) ", f"__launch_bounds__({size}, 1) ")
    text = (
        f"__global__ void {bounds}{name}() {{\n"
        f"  __shared__ float tile[{size}];\n  {keep('tile')}\n}}\n#undef {name}\n#undef {size}\n"
    )
    header = d.header("kernel", text, d.pick(".h", ".inc", ".cuh"))
    for _ in range(1 + d.below(3)):
        made, threads = d.name("kern"), d.threads(512)
        d.say(f"#define {name} {made}", f"#define {size} {threads}", f'#include "{header}"')
        d.run(d.launch(made, threads if d.chance() else d.count(threads)))


def x_macro(d: Sketch) -> None:
    """A list in a macro, expanded as enumerators, constants or kernels."""
    list_, each = d.name("LIST"), d.name("each")
    entries = [(f"{each}_{at}", d.threads(256)) for at in range(1 + d.below(3))]
    d.say(f"#define {list_}(X) " + " ".join(f"X({name}, {size})" for name, size in entries))
    made = d.name("MAKE")
    way = d.below(3)
    if way == 0:
        d.say(f"#define {made}(name, size) static constexpr int name = size;", f"{list_}({made})")
        for name, _ in entries:
            show(d, name)
    elif way == 1:
        d.say(f"#define {made}(name, size) name = size,", f"enum {{ {list_}({made}) }};")
        for name, _ in entries:
            show(d, name)
    else:
        body = "{ __shared__ int tile[size]; " + keep("tile") + " }"
        d.say(f"#define {made}(name, size) __global__ void __launch_bounds__(size) name() {body}", f"{list_}({made})")
        for name, size in entries:
            d.run(d.launch(name, size))


def x_header(d: Sketch) -> None:
    """A list in a file, included for each use."""
    entry, each = d.name("ENTRY"), d.name("each")
    entries = [(f"{each}_{at}", d.threads(256)) for at in range(1 + d.below(3))]
    text = "".join(f"{entry}({name}, {size})\n" for name, size in entries) + f"#undef {entry}\n"
    header = d.header("list", text, d.pick(".def", ".inc", ".h"))
    d.say(f"#define {entry}(name, size) static constexpr int name = size;", f'#include "{header}"')
    total = d.name("TOTAL")
    d.say(f"#define {entry}(name, size) + 1", f"static constexpr int {total} = 0", f'#include "{header}"', "    ;")
    for name, _ in entries:
        show(d, d.pick(name, f"{name} / {total}"))


def generated(d: Sketch) -> None:
    """Kernels whose names and types are pasted together."""
    make, stem = d.name("KERNEL"), d.name("kern")
    template = d.pick("stem##_##type", "type##_##stem")
    body = "{ __shared__ type tile[size]; " + keep("tile") + " }"
    d.say(f"#define {make}(stem, type, size) __global__ void __launch_bounds__(size) {template}() {body}")
    for type_ in d.random.sample(("float", "double", "int", "char", "short"), 1 + d.below(3)):
        size = d.threads(256)
        d.say(f"{make}({stem}, {type_}, {size}){d.pick('', ';')}")
        name = f"{stem}_{type_}" if template.startswith("stem") else f"{type_}_{stem}"
        d.run(d.launch(name, size))
