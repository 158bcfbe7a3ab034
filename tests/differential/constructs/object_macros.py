"""Macros without parameters: defined, redefined and undefined between their uses, one through another."""

from __future__ import annotations

from ..sketch import Sketch


def draw(d: Sketch) -> None:
    size, bytes_ = d.name("SIZE"), d.name("BYTES")
    d.say(f"#define {bytes_} ({size} * {d.pick('4', 'sizeof(float)', 'sizeof(double)')})")
    kernels = []
    for round_ in range(1 + d.below(3)):
        if round_:
            d.say(f"#undef {size}")
        d.say(f"#define {size} {d.threads(256)}")
        behind = f"__launch_bounds__({size})" if d.chance() else ""
        kernels.append(d.kernel([f"__shared__ char s[{bytes_}];"], behind=behind))
        if d.chance():
            setup(d, kernels[-1], size, bytes_)
    least = d.name("least")
    d.say(f"#undef {size}", f"#define {size} 32", f"static const int {least} = {size};")
    d.run(*(d.launch(it, d.pick(size, least), bytes_) for it in kernels))


def setup(d: Sketch, kernel: str, size: str, bytes_: str) -> None:
    """A function whose body has the macros of where it stands."""
    function = d.name("go")
    d.say(f"static void {function}() {{", f"  {d.launch(kernel, size, bytes_)}", "}")
    d.run(f"{function}();")
