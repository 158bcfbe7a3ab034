"""Arrays that are indexed by what shifts, masks and divisions leave of values of the running kernel: sometimes nothing,
and compilers see that."""

from __future__ import annotations

from ..sketch import Sketch


def draw(d: Sketch) -> None:
    name, count = d.name("tile"), d.count(256)
    names = ["threadIdx.x", "blockIdx.x", "n", "u", "c[n]", "q[1]", "p[2]"]
    lines = [f"__shared__ int {name}[{count}];"]
    for _ in range(d.below(3)):
        local = d.local("i")
        type_ = d.pick("int", "unsigned", "auto", "const int", "bool", "unsigned char", "short")
        lines.append(f"{type_} {local} = {_index(d, names, d.below(3))};")
        if d.chance(0.2) and type_ not in ("const int", "auto", "bool"):
            lines.append(f"{local} {d.pick('+=', '&=', '>>=', '*=', '/=')} {1 + d.below(14)};")
        names = [*names, local, local]
    if d.chance(0.2):
        step = d.pick("++k", f"k += {1 + d.below(16)}")
        lines.append(f"for (int k = {d.pick('0', 'threadIdx.x', '3')}; k < n; {step})")
        names += ["k", "k", "k"]
    if d.chance(0.3):
        lines.append(
            f"if ({d.pick('threadIdx.x', 'n', 'u', 'q[1]')} {d.pick('<', '==', '>', '<=', '!=')} {d.below(40)})"
        )
    lines.append(f"{name}[{_index(d, names, d.below(4))}] = p[0];")
    lines += ["__syncthreads();", f"p[threadIdx.x] = {name}[0] + {name}[{d.below(count)}];"]
    kernel = d.kernel(parameters="int *p, int n, unsigned u, const unsigned char *c, const int *q", body=lines)
    d.run(d.launch(kernel, d.threads(), None, "nullptr, 1, 2, nullptr, nullptr"))


def _index(d: Sketch, names: list[str], depth: int) -> str:
    if depth == 0:
        return d.pick(*names)
    inner = _index(d, names, depth - 1)
    number = d.pick("1", "2", "3", "4", "7", "8", "31", "32", str(1 + d.below(70)))
    return d.pick(
        f"({inner}) & {number}",
        f"({inner}) % {number}",
        f"({inner}) / {number}",
        f"({inner}) >> {d.below(12)}",
        f"({inner}) << {d.below(5)}",
        f"({inner}) * {number}",
        f"({inner}) + {number}",
        f"({inner}) | {number}",
        f"({inner}) + ({d.pick(*names)})",
        f"({inner}) / ({d.pick(*names)} | 1)" if d.chance(0.3) else f"({inner}) - {number}",
        f"({inner}) > {number}",
        f"{d.pick('(unsigned char)', '(int)', 'unsigned', '!')}({inner})",
    )
