"""Shared memory of functions that kernels call: once or several times, in templates, in members, in none at all."""

from __future__ import annotations

from ..sketch import Sketch, keep


def draw(d: Sketch) -> None:
    d.random.choice((plain, plain, template, member, chain, file_scope))(d)


def function(d: Sketch, calls: str = "") -> str:
    name, tile = d.name("help"), d.name("tile")
    words = d.pick(
        "__device__", "static __device__", "__device__ __forceinline__", "__device__ inline", "__device__ __noinline__"
    )
    d.say(f"{words} void {name}() {{", f"  __shared__ {d.pick('float', 'char', 'double', 'int2')} {tile}[{d.count()}];")
    d.say(f"  {keep(tile)}", *([f"  {calls}"] if calls else []), "}")
    return name


def kernel_of(d: Sketch, *calls: str) -> None:
    own = [f"__shared__ int {d.name('own')}[{d.count()}];"] if d.chance(0.4) else []
    d.run(d.launch(d.kernel(own, body=calls), d.threads()))


def plain(d: Sketch) -> None:
    made = [function(d) for _ in range(1 + d.below(3))]
    for _ in range(1 + d.below(2)):
        chosen = [d.random.choice(made) for _ in range(d.below(3))]
        kernel_of(d, *(f"{it}();" for it in chosen))


def chain(d: Sketch) -> None:
    inner = function(d)
    outer = function(d, f"{inner}();")
    kernel_of(d, f"{outer}();", *([f"{inner}();"] if d.chance() else []))
    kernel_of(d, f"if (threadIdx.x > 4) {inner}();")


def template(d: Sketch) -> None:
    """Each instance has an array of its own."""
    name = d.name("help")
    d.say(
        "template <typename T, int N>",
        f"__device__ void {name}() {{",
        "  __shared__ T tile[N];",
        f"  {keep('tile')}",
        "}",
    )
    for _ in range(1 + d.below(2)):
        instances = [f"{name}<{d.pick('float', 'char', 'double')}, {d.count()}>();" for _ in range(1 + d.below(3))]
        kernel_of(d, *instances, *instances[: d.below(2)])


def member(d: Sketch) -> None:
    type_, tile = d.name("Worker"), d.name("tile")
    d.say(
        f"struct {type_} {{",
        f"  __device__ {d.pick('', 'static ')}void run() {{",
        f"    __shared__ double {tile}[{d.count()}];",
    )
    d.say(f"    {keep(tile)}", "  }", "};")
    kernel_of(d, f"{type_} w; w.run();")


def file_scope(d: Sketch) -> None:
    """An array that several kernels share by its name, outside of them."""
    tile = d.name("tile")
    d.say(f"{d.pick('', 'static ')}__shared__ float {tile}[{d.count()}];")
    kernel_of(d, keep(tile))
    kernel_of(d, *([keep(tile)] if d.chance() else []))
