"""Sources of one program: a kernel here, its declaration in a header, its launches elsewhere."""

from __future__ import annotations

from ..sketch import Sketch, keep


def draw(d: Sketch) -> None:
    kernel, threads = d.name("kern"), d.threads()
    bounds = d.pick("", f"__launch_bounds__({threads}) ", f"__launch_bounds__({threads}, 1) ")
    space = d.name("space") if d.chance(0.4) else ""
    constant = d.name("width")
    declared = f"__global__ void {bounds if d.chance(0.3) else ''}{kernel}(int n);"
    header = ["#pragma once", f"constexpr int {constant} = {d.threads(threads)};"]
    header.append(f"namespace {space} {{ {declared} }}" if space else declared)
    name = d.header("shared", "\n".join(header) + "\n", d.pick(".h", ".cuh"))
    d.say(f'#include "{name}"', *([f"namespace {space} {{"] if space else []))
    tile = d.name("tile")
    d.say(
        f"__global__ void {bounds}{kernel}(int n) {{", f"  __shared__ float {tile}[{constant}];", f"  {keep(tile)}", "}"
    )
    d.say("}" if space else "")
    qualified = f"{space}::{kernel}" if space else kernel
    for at in range(1 + d.below(2)):
        go = d.name("go")
        site, size = d.site(), d.pick("threads", constant, f"{constant} / 2 + 1", f"dim3({constant} / 2, 2)")
        text = [f'#include "{name}"', f"void {go}(int threads) {{"]
        if d.chance(0.3):
            text.append(f"  if (threads > {d.threads(threads)}) threads = 32;")
        text += [f"  {qualified}<<<{site}, {size}, threads * 4>>>(3); /*@{site}*/", "}"]
        d.also(f"_{'ab'[at]}", "\n".join(text) + "\n")
        d.say(f"void {go}(int threads);")
        for _ in range(1 + d.below(2)):
            d.run(f"{go}({d.threads(threads)});")
