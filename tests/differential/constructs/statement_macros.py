"""Macros that are statements: with `;` and without, as a block, a loop, a branch, nothing, or half of something."""

from __future__ import annotations

from ..sketch import Sketch, keep

BODIES = (
    "",
    "{ }",
    "{ (void)0; }",
    "do { } while (0)",
    "do { (void)0; } while (0);",
    "(void)0;",
    "(void)0",
    "if (false) { }",
    ";",
    "for (int z = 0; z < 1; ++z) { }",
    "if (sizeof(int) == 1) return;",
)
CHANGING = (
    "n = {c};",
    "{{ n = {c}; }}",
    "do {{ n = {c}; }} while (0);",
    "if (n > 64) n = {c};",
    "n /= 2; n += 1;",
    "if (n > 256) {{ n = 32; }} else n = {c};",
)


def draw(d: Sketch) -> None:
    kernel = device(d)
    d.run(f"int n = {d.threads()};", f"bool on = {d.pick('true', 'false', 'n > 96')};")
    for _ in range(2 + d.below(4)):
        d.run(*around(d, kernel))
    d.run(d.launch(kernel, "n", d.pick("0", "n * 4")))


def macro(d: Sketch, body: str) -> str:
    """Its use, alone as a statement; with a `;` only where there must be one."""
    name = d.name("CHECK")
    if d.chance(0.4):
        d.say(f"#define {name}(x) {body}")
        name = f"{name}({d.pick('', 'n', '1 + 1', 'a, b'[:1])})"
    else:
        d.say(f"#define {name} {body}")
    needs = body.endswith(("(0)", "(void)0"))
    return name + (";" if needs or d.chance(0.2) else "")


def idle(d: Sketch) -> str:
    return macro(d, d.pick(*BODIES))


def around(d: Sketch, kernel: str) -> list[str]:
    """Statements with a macro before, between or behind them."""
    change = d.pick("n = {c};", "if (on) n = {c};", "if (n > 128) {{ n = {c}; }}", "n = n / 2 + 8;").format(
        c=d.threads()
    )
    return d.random.choice(
        (
            lambda: [idle(d), change],
            lambda: [idle(d), d.launch(kernel, "n")],
            lambda: [change, idle(d), d.launch(kernel, "n")],
            lambda: ["if (on) {", idle(d), change, "} else {", idle(d), "n = 96;", "}"],
            lambda: ["if (on) {", change, idle(d), "}"],
            lambda: ["for (int i = 0; i < 2; ++i) {", idle(d), d.launch(kernel, "n"), idle(d), "}"],
            lambda: ["switch (n % 2) {", "case 0:", idle(d), change, "break;", "default:", idle(d), "n = 64;", "}"],
            lambda: [macro(d, d.pick(*CHANGING).format(c=d.threads())), change],
            lambda: [macro(d, d.pick(*CHANGING).format(c=d.threads())), d.launch(kernel, "n")],
            lambda: condition(d, kernel),
            lambda: blocks(d, kernel),
            lambda: [f"if (on) {d.launch(kernel, 'n')}", idle(d)],
            lambda: launching(d, kernel),
        )
    )()


def condition(d: Sketch, kernel: str) -> list[str]:
    """A macro that begins a statement that the text ends."""
    name = d.name("WHEN")
    d.say(f"#define {name} {d.pick('if (on)', 'if (n > 100)', 'if (!on) n = 48; else', 'for (int q = 0; q < 2; ++q)')}")
    return d.random.choice(
        ([name, f"  n = {d.threads()};"], [f"{name} {{ n = {d.threads()}; }}"], [name, f"  {d.launch(kernel, 'n')}"])
    )


def blocks(d: Sketch, kernel: str) -> list[str]:
    """Braces of macros."""
    begin, end = d.name("BEGIN"), d.name("END")
    d.say(f"#define {begin} {d.pick('{', 'if (on) {', 'do {')}")
    closing = "} while (0);" if d.text[-1].endswith("do {") else "}"
    d.say(f"#define {end} {closing}")
    return [begin, f"n = {d.threads()};", d.launch(kernel, "n"), end]


def launching(d: Sketch, kernel: str) -> list[str]:
    """The launch is the macro's."""
    name, site = d.name("LAUNCH"), d.site()
    body = d.pick("{0};", "{0}", "do {{ {0}; }} while (0)", "{{ {0}; }}", "if (on) {0};").format(
        f"{kernel}<<<{site}, size>>>()"
    )
    d.say(f"#define {name}(size) {body}")
    return [f"{name}({d.pick('n', '64', 'n / 2 + 1')}); /*@{site}*/"]


def device(d: Sketch) -> str:
    """A kernel whose body has such macros around arrays and barriers."""
    name = d.name("kern")
    tile, more = d.name("tile"), d.name("more")
    lines = [
        idle(d),
        f"__shared__ float {tile}[{d.count()}];",
        keep(tile),
        *([idle(d)] if d.chance() else []),
        *(["__syncthreads();"] if d.chance() else []),
        *(
            [macro(d, d.pick("__syncthreads();", "{ __syncthreads(); }", "do { __syncthreads(); } while (0);"))]
            if d.chance(0.4)
            else []
        ),
        *([idle(d), f"__shared__ int {more}[{d.count()}];", keep(more)] if d.chance(0.5) else []),
        *([idle(d)] if d.chance() else []),
    ]
    d.say(f"__global__ void {name}() {{", *(f"  {it}" for it in lines), "}")
    return name
