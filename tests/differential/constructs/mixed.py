"""A number that one construct draws, handed through another: as a macro's or a template's argument, in an #if."""

from __future__ import annotations

from collections.abc import Callable

from ..sketch import Sketch, keep
from . import conditionals, conversions, enums, function_macros, headers, templates
from .showing import show

VALUES: tuple[Callable[[Sketch], str], ...] = (
    conversions.value,
    conditionals.value,
    enums.value,
    function_macros.value,
    headers.value,
    templates.value,
)


def draw(d: Sketch) -> None:
    number = d.random.choice(VALUES)(d)
    d.random.choice((combined, through_template, through_macro, through_member, through_host))(d, number)


def combined(d: Sketch, number: str) -> None:
    other = d.random.choice(VALUES)(d)
    show(
        d,
        d.pick(
            f"(({number}) + ({other})) / 2",
            f"(({number}) > ({other}) ? ({number}) : ({other}))",
            f"1 + ({number}) % 100 + ({other}) / 2",
        ),
    )


def through_template(d: Sketch, number: str) -> None:
    name = d.name("kern")
    d.say(
        "template <int N>",
        f"__global__ void __launch_bounds__(N) {name}() {{",
        "  __shared__ char tile[N];",
        f"  {keep('tile')}",
        "}",
    )
    d.run(d.launch(f"{name}<({number})>", number))


def through_macro(d: Sketch, number: str) -> None:
    macro = d.name("HALF")
    d.say(f"#define {macro}(x) (((x) + 1) / 2)")
    show(d, f"{macro}({number})")


def through_member(d: Sketch, number: str) -> None:
    type_ = d.name("Config")
    member = d.pick("static constexpr int n = {0};", "static const unsigned short n = {0};", "enum {{ n = {0} }};")
    d.say(f"struct {type_} {{ {member.format(number)} }};")
    show(d, f"{type_}::n")


def through_host(d: Sketch, number: str) -> None:
    kernel = d.kernel()
    d.run(f"int n = {number};")
    if d.chance():
        d.run(f"const auto m = n {d.pick('+ 1', '/ 2 + 1', '')};", d.launch(kernel, "m > 1024 ? 1024 : m", "n"))
    else:
        d.run(f"{d.pick('unsigned', 'int', 'unsigned short')} m = n + 1;", "if (m > 1024) m = 1024;")
        d.run(d.launch(kernel, "m", "n"))
