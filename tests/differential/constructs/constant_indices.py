"""Arrays of which only constant places are used: compilers make them smaller, and no declared size is exact."""

from __future__ import annotations

from ..sketch import Sketch


def draw(d: Sketch) -> None:
    name, count = d.name("tile"), d.count(1024)
    type_ = d.pick("float", "int", "double", "char")
    lines = [f"{d.pick('', 'volatile ')}__shared__ {type_} {name}[{count}];"]
    places = sorted(d.below(count) for _ in range(1 + d.below(3)))
    lines += [f"{name}[{it}] = p[{it % 7}];" for it in places]
    if d.chance(0.3):
        lines.append(f"for (int i = 0; i < {min(count, 4)}; ++i) {name}[i] = p[i];")
    if d.chance(0.2):
        lines.append(f"{name}[threadIdx.x % {count}] = p[1];")
    lines += ["__syncthreads();", f"p[threadIdx.x] = {name}[{places[0]}] + {name}[{places[-1]}];"]
    if d.chance(0.2):
        lines.append(f"p[1] = {name}[p[0] > 0 ? {places[0]} : 0];")
    kernel = d.kernel(parameters=f"{type_} *p", body=lines)
    d.run(d.launch(kernel, d.threads(), None, "nullptr"))
