"""Kernels and launches that make a number visible: as an array's extent, a bound, a block, bytes of a launch."""

from __future__ import annotations

from ..sketch import Sketch

WAYS = ("extent", "bounds", "block", "dynamic")
ELEMENTS = ("char", "short", "int", "float", "double", "float2")


def show(d: Sketch, number: str, *, here: bool = False) -> str:
    """Say a kernel, launch it, and return its name. `number`: an expression from 1 to 1,024, in host and device code.

    `here`: it means this only at this place of the text.
    """
    chosen = [it for it in WAYS if d.chance()] or [d.pick(*WAYS)]
    arrays = [f"__shared__ {d.pick(*ELEMENTS)} {d.name('tile')}[{number}];"] if "extent" in chosen else []
    bounded = "bounds" in chosen
    kernel = d.kernel(arrays, behind=f"__launch_bounds__({number})" if bounded else "")
    block = number if bounded or "block" in chosen else d.threads(256)
    launch = d.launch(kernel, block, number if "dynamic" in chosen else None)
    if here or d.chance(0.2):
        function = d.name("go")
        d.say(f"static void {function}() {{", f"  {launch}", "}")
        launch = f"{function}();"
    d.run(launch)
    return kernel


def show_bytes(d: Sketch, number: str) -> str:
    """As above, of a number that may be more than the threads of a block. At most 40,000."""
    extent = d.chance(0.7)
    kernel = d.kernel([f"__shared__ char {d.name('room')}[{number}];"] if extent else [])
    d.run(d.launch(kernel, d.threads(256), None if extent and d.chance() else number))
    return kernel


def sized(d: Sketch, type_: str) -> str:
    """Show how large a type is that a variable in shared memory may have."""
    if d.chance(0.3):
        return show_bytes(d, f"sizeof({type_})")
    extent = d.pick("", f"[{1 + d.below(5)}]", f"[{1 + d.below(3)}][{1 + d.below(4)}]")
    kernel = d.kernel([f"__shared__ {type_} {d.name('obj')}{extent};"])
    d.run(d.launch(kernel, d.pick("64", f"sizeof({type_}) % 96 + 32"), d.pick("0", f"3 * sizeof({type_})")))
    return kernel
