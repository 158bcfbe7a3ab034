"""Arrays that are touched where conditions hang on what jumps, loops, pointers, objects and vectors make of variables:
compilers drop what no values lead to."""

from __future__ import annotations

from ..sketch import Sketch
from .settled_conditions import condition, value

_PARAMETERS = "int *p, int n, int m, unsigned u"


def draw(d: Sketch) -> None:
    opencl = d.language == "opencl"
    tile, pair = d.name("tile"), d.name("pair")
    names = [*_PLACES[opencl], "n", "n", "m", "u"]
    lines: list[str] = []
    for _ in range(1 + d.below(2)):
        found = d.random.choice((_made, _shared, _jump, _loop))(d, names, lines, f"struct {pair}")
        names = [*names, *found, *found]
    barrier = "barrier(CLK_LOCAL_MEM_FENCE);" if opencl else "__syncthreads();"
    touched = f"{tile}[m & 7] = p[1]; {barrier} p[n] = {tile}[n & 7];"
    lines.append(d.pick(touched, f"if ({condition(d, names)}) {{ {touched} }}", _in_loop(d, names, touched)))
    lines = [it.replace("helper(", "(") for it in lines]
    d.say(f"struct {pair} {{ int a, b; }};")
    declared = f"{'__local' if opencl else '__shared__'} int {tile}[{8 + d.count(64)}];"
    if opencl:
        head = f"__kernel void {d.name('kern')}(__global {_PARAMETERS}) {{"
        d.say(head, declared, *(f"  {it}" for it in lines), "}")
        return
    kernel = d.kernel(parameters=_PARAMETERS, body=[declared, *lines])
    d.run(d.launch(kernel, d.threads(), None, "nullptr, 1, 2, 3"))


_PLACES = {
    True: ("get_local_id(0)", "get_local_id(3)", "get_local_size(0)", "get_local_size(4)", "get_group_id(2)"),
    False: ("threadIdx.x", "blockDim.x", "blockIdx.y"),
}


def _made(d: Sketch, names: list[str], lines: list[str], pair: str) -> list[str]:
    """Objects that are given their parts at once, one by one, or in both ways."""
    local, one, other = d.local("v"), value(d, names, d.below(3)), value(d, names, d.below(3))
    if d.chance():
        given = d.pick(f"{{{one}, {other}}}", f"{{.a = (int)({one})}}", f"{{(int)({one})}}").replace(
            f"{{{one}", f"{{(int)({one})"
        )
        lines.append(f"{pair} {local} = {given.replace(f', {other}', f', (int)({other})')};")
        members = ("a", "b")
    else:
        made = f"(int2)({one}, {other})" if d.language == "opencl" else f"make_int2({one}, {other})"
        lines.append(f"int2 {local} = {made};")
        members = ("x", "y")
    if d.chance(0.4):
        change = f"{local}.{d.pick(*members)} {d.pick('=', '&=', '+=')} {1 + d.below(9)};"
        lines.append(d.pick(change, f"if ({condition(d, names)}) {change}"))
    return [f"{local}.{it}" for it in members]


def _shared(d: Sketch, names: list[str], lines: list[str], pair: str) -> list[str]:
    """Variables that are changed through a pointer or another name."""
    local, other = d.local("i"), d.local("r")
    lines.append(f"int {local} = {value(d, names, d.below(3))};")
    reference = d.language != "opencl" and d.chance()
    lines.append(f"int {'&' if reference else '*'}{other} = {'' if reference else '&'}{local};")
    through = other if reference else f"*{other}"
    lines.append(f"{through} {d.pick('=', '&=', '+=', '%=')} {1 + d.below(9)};")
    return [local, f"({through})"]


def _jump(d: Sketch, names: list[str], lines: list[str], pair: str) -> list[str]:
    """Returns that stand deeper than what they pass over."""
    one, other = condition(d, names), condition(d, names)
    lines.append(
        d.pick(
            f"if ({one}) {{ if ({other}) return; }}",
            f"if ({one}) {{ p[3] = 1; if ({other}) {{ return; }} p[4] = 1; }}",
            f"if ({one}) p[3] = 1; else if ({other}) return;",
            f"if ({one}) {{ return; }} else {{ if ({other}) return; }}",
            f"{{ if ({one}) return; }}",
            f"for (int k = 0; k < {1 + d.below(5)}; ++k) {{ if ({condition(d, [*names, 'k', 'k'])}) return; }}",
            f"switch ({value(d, names, 1)}) {{ case {d.below(4)}: return; case {4 + d.below(4)}: return; }}",
        )
    )
    return []


def _loop(d: Sketch, names: list[str], lines: list[str], pair: str) -> list[str]:
    """Variables that loops have changed."""
    local = d.local("k")
    lines.append(f"int {local} = {value(d, names, d.below(2))};")
    lines.append(f"for (int t = 0; t < {d.pick('4', 'n')}; ++t) {{ {_changes(d, names, local)} }}")
    return [local]


def _in_loop(d: Sketch, names: list[str], touched: str) -> str:
    local = d.local("k")
    start, several = value(d, names, d.below(2)), [*names, local, local, local, local]
    inner = f"{_changes(d, several, local)} if ({condition(d, several)}) {{ {touched} }} {_changes(d, several, local)}"
    return f"{{ int {local} = {start}; for (int t = 0; t < n; ++t) {{ {inner} }} }}"


def _changes(d: Sketch, names: list[str], local: str) -> str:
    changes = (f"{local} {d.pick('=', '&=', '+=', '+=', '%=')} {1 + d.below(9)};" for _ in range(d.below(3)))
    return " ".join(d.pick(it, it, f"if ({condition(d, names)}) {it}") for it in changes)
