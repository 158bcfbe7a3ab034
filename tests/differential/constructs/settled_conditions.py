"""Arrays that are touched under conditions which may never hold, for what shifts, masks, types and other conditions
leave of values of the running kernel: compilers drop what stands there."""

from __future__ import annotations

from ..sketch import Sketch


def draw(d: Sketch) -> None:
    opencl = d.language == "opencl"
    tile = d.name("tile")
    thread = "get_local_id(0)" if opencl else "threadIdx.x"
    names = [thread, "n", "n", "m", "u", "c[n]", "q[1]", "h.s", "h.b", "h.f"]
    lines: list[str] = []
    names = [*names, *_locals(d, names, lines)]
    barrier = "barrier(CLK_LOCAL_MEM_FENCE);" if opencl else "__syncthreads();"
    touched = f"{tile}[m & 7] = q[0]; {barrier} p[n] = {tile}[n & 7];"
    lines.append(_under(d, names, touched))
    if d.chance(0.2):
        lines.append(_under(d, names, touched))
    helper, record = d.name("helper"), d.name("record")
    space = "__global " if opencl else ""
    device = "static" if opencl else "static __device__ inline"
    d.say(
        f"struct {record} {{ short s; unsigned char b; unsigned {'f' if opencl else 'f : 3'}; }};",
        f"{device} int {helper}(int v) {{ return {value(d, ['v'], 2)}; }}",
    )
    lines = [it.replace("helper(", f"{helper}(") for it in lines]
    parameters = f"{space}int *p, int n, int m, unsigned u, {space}const unsigned char *c, {space}const int *q"
    parameters += f", struct {record} h"
    declared = f"{'__local' if opencl else '__shared__'} int {tile}[{8 + d.count(64)}];"
    if opencl:
        d.say(f"__kernel void {d.name('kern')}({parameters}) {{", declared, *(f"  {it}" for it in lines), "}")
        return
    kernel = d.kernel(parameters=parameters, body=[declared, *lines])
    d.run(d.launch(kernel, d.threads(), None, f"nullptr, 1, 2, 3, nullptr, nullptr, {record}()"))


def _locals(d: Sketch, names: list[str], lines: list[str]) -> list[str]:
    """Declare some variables and change some of them."""
    found: list[str] = []
    for _ in range(d.below(3)):
        local, type_ = d.local("i"), d.pick("int", "unsigned", "const int", "bool", "unsigned char", "short")
        every = [*names, *found, *found]
        given = condition(d, every) if type_ == "bool" else value(d, every, d.below(3))
        lines.append(f"{type_} {local} = {given};")
        if type_ != "const int":
            change = f"{local} {d.pick('=', '&=', '|=') if type_ == 'bool' else d.pick('=', '+=', '&=', '>>=', '%=')} "
            change += "0;" if type_ == "bool" else f"{1 + d.below(9)};"
            lines += [d.pick(change, f"if ({condition(d, every)}) {change}")] if d.chance(0.3) else []
        found += [local, local]
    return found


def _under(d: Sketch, names: list[str], touched: str) -> str:
    """The statements under a condition, or several."""
    again = _under(d, names, touched) if d.chance(0.25) else touched
    said = condition(d, names)
    start = d.pick("0", "n & 3", "1", "7")
    counts = d.pick(f"k < {1 + d.below(9)}; ++k", "k < m; k += 2", "k > 0; k >>= 1")
    start, counts = d.random.choice(((start, counts), ("1", f"k < {2 + d.below(20)}; k *= 2")))
    counted = condition(d, [*names, "k", "k", "k"])
    return d.pick(
        f"if ({said}) {{ {again} }}",
        f"if ({said}) {{ {again} }}",
        f"if ({said}) {{ p[1] = 2; }} else {{ {again} }}",
        f"if ({said}) {{ p[1] = 2; }} else if ({condition(d, names)}) {{ {again} }}",
        f"if ({said}) return; {again}",
        f"if ({said} && {condition(d, names)}) {{ {again} }}",
        f"if ({said} || {condition(d, names)}) {{ {again} }}",
        f"if (!({said})) {{ {again} }}",
        f"while ({said}) {{ {again} break; }}",
        f"for (int k = {start}; {counts}) {{ if ({counted}) {{ {again} }} }}",
        f"switch ({value(d, names, 1)}) {{ case {d.below(9)}: {{ {again} }} break; default: p[2] = 1; }}",
    )


def condition(d: Sketch, names: list[str]) -> str:
    """Draw a condition on some names."""
    said = value(d, names, d.below(4))
    compared = d.pick(str(d.below(10)), str(d.below(300)), "-1", "0", f"({value(d, names, 1)})")
    return d.pick(
        *(f"({said}) {sign} {compared}" for sign in ("==", "!=", "<", ">", "<=", ">=", "==", ">")),
        f"({said})",
        f"!({said})",
    )


def value(d: Sketch, names: list[str], depth: int) -> str:
    """Draw an expression of some names."""
    if depth == 0:
        return d.pick(*names)
    inner, number = value(d, names, depth - 1), d.pick("1", "2", "3", "4", "7", "8", "31", "255", str(1 + d.below(70)))
    return d.pick(
        f"({inner}) & {number}",
        f"({inner}) & {number}",
        f"({inner}) % {number}",
        f"({inner}) / {number}",
        f"({inner}) >> {d.below(12)}",
        f"({inner}) << {d.below(5)}",
        f"({inner}) * {number}",
        f"({inner}) + {number}",
        f"({inner}) - {number}",
        f"({inner}) | {number}",
        f"({inner}) ^ {number}",
        f"({inner}) + ({d.pick(*names)})",
        f"({inner}) > {number}",
        f"(({inner}) > {number} ? {d.below(5)} : {d.below(5)})",
        f"{d.pick('(unsigned char)', '(int)', '(short)', '!', '~', '-')}({inner})",
        *((f"{d.pick('min', 'max')}((int)({inner}), {number})",) if d.language == "cuda" else ()),
        *((f"helper({inner})",) if "v" not in names else ()),
    )
