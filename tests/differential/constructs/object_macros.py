"""Macros without parameters: defined, redefined and undefined between their uses, one through another."""

from __future__ import annotations

from ..sketch import Sketch


def draw(d: Sketch) -> None:
    size, bytes_ = d.name("SIZE"), d.name("BYTES")
    d.say(f"#define {bytes_} ({size} * {d.pick('4', 'sizeof(float)', 'sizeof(double)')})")
    kernels = []
    for _ in range(1 + d.below(3)):
        define(d, size)
        behind = f"__launch_bounds__({size})" if d.chance() else ""
        kernels.append(d.kernel([f"__shared__ char s[{bytes_}];"], behind=behind))
        if d.chance():
            setup(d, kernels[-1], size, bytes_)
    least = d.name("least")
    d.say(f"#undef {size}", f"#define {size} 32", f"static const int {least} = {size};")
    d.run(*(d.launch(it, d.pick(size, least), bytes_) for it in kernels))


def define(d: Sketch, name: str) -> None:
    """Give the macro another value, or leave it where it has one."""
    number = d.threads(256)
    flag = d.name("FLAG")
    if d.chance(0.3):
        d.say(f"#define {flag}")
    again = [f"#undef {name}", f"#define {name} {number}"]
    pushed = [f'#pragma push_macro("{name}")', f"#undef {name}", f"#define {name} 16", f'#pragma pop_macro("{name}")']
    ways = (
        again,
        again,
        [f"#ifndef {name}", f"#define {name} {number}", "#endif"],
        [f"#ifdef {name}", f"#undef {name}", "#endif", f"#define {name} {number}"],
        [f"#ifdef {flag}", *again, "#endif", *least(name)],
        [f"#if defined({name}) && {name} > 64", f"#undef {name}", f"#define {name} 48", "#endif", *least(name)],
        [*pushed, *least(name)],
    )
    d.say(*d.random.choice(ways))


def least(name: str) -> list[str]:
    return [f"#ifndef {name}", f"#define {name} 40", "#endif"]


def setup(d: Sketch, kernel: str, size: str, bytes_: str) -> None:
    """A function whose body has the macros of where it stands."""
    function = d.name("go")
    d.say(f"static void {function}() {{", f"  {d.launch(kernel, size, bytes_)}", "}")
    d.run(f"{function}();")
