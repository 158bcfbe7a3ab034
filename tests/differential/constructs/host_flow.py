"""Host code around launches: assignments, branches, loops, switch, helper functions, members of dim3.

Every statement leaves the threads between 1 and 1,024, whatever they were before.
"""

from __future__ import annotations

from ..sketch import Sketch

CHANGES = (
    "{n} = {c};",
    "{n} = {n} / 2 + 16;",
    "{n} = {n} > 512 ? {c} : {n};",
    "{n} = ({n} + 32) % 512 + 1;",
    "{n} -= {n} / 4;",
    "{n} = 1024 - {n} / 2;",
    "{n} = {n} < {c} ? {n} : {c};",
    "{n} /= 2, {n} += 1;",
    "{n} >>= 1; {n} |= 32;",
    "{n} = {n} % 32 == 0 ? {n} : 96;",
    "if ({n} <= 512) {n} *= 2;",
    "if ({n} > 1) --{n};",
    "if ({n} < 1024) {n}++;",
)


def draw(d: Sketch) -> None:
    kernel = d.kernel()
    flow = Flow(d, kernel)
    if d.chance(0.3):
        dims(flow)
        return
    d.run(f"int n = {d.threads()};", f"int m = {d.count(256)};")
    d.run(*flow.statements(2 + d.below(4), 2))
    d.run(d.launch(kernel, d.pick("n", "m", "n", "(n + m) / 2"), d.pick("0", "n * 4", "m * sizeof(float)")))


class Flow:
    """Statements over `n` and `m`, which may launch a kernel."""

    def __init__(self, d: Sketch, kernel: str) -> None:
        self.d = d
        self.kernel = kernel
        self.loops = 0

    def statements(self, count: int, depth: int) -> list[str]:
        return [line for _ in range(count) for line in self.statement(depth)]

    def statement(self, depth: int) -> list[str]:
        if depth == 0 or self.d.chance(0.25):
            return self.simple()
        return self.d.random.choice(
            (self.branch, self.branch, self.switch, self.loop, self.block, self.helper, self.wrapped)
        )(depth)

    def simple(self) -> list[str]:
        if self.d.chance(0.25):
            return [self.d.launch(self.kernel, self.d.pick("n", "m", "dim3(n)", "n > m ? m : n"))]
        return [self.change()]

    def change(self) -> str:
        d = self.d
        return d.pick(*CHANGES).format(n=d.pick("n", "n", "m"), c=d.threads())

    def condition(self) -> str:
        d = self.d
        return d.pick(
            f"n > {d.threads()}",
            f"m <= {d.count(256)}",
            "n % 64 == 0",
            "n == m",
            f"n > 8 && m != {d.count(64)}",
            "!(n < m)",
            f"{self.opaque()}() > 0",
            f"{self.opaque()}()",
            f"{self.opaque()}() && n > 32",
            "true",
            "sizeof(int) == 4",
        )

    def opaque(self) -> str:
        """A function of which nobody who reads it can know what it returns."""
        d = self.d
        name = d.name("opaque")
        d.say(f"static volatile int {name}_v = {d.below(2)};", f"static int {name}() {{ return {name}_v; }}")
        return name

    def branch(self, depth: int) -> list[str]:
        d, lines = self.d, [f"if ({self.condition()}) {{", *self.statements(1 + self.d.below(2), depth - 1)]
        if d.chance(0.3):
            lines += [f"}} else if ({self.condition()}) {{", *self.statements(1, depth - 1)]
        if d.chance(0.5):
            lines += ["} else {", *self.statements(1, depth - 1)]
        if d.chance(0.2):
            return [f"if ({self.condition()})", f"  n = {d.threads()};", "else", "  m = 32;"]
        return [*lines, "}"]

    def switch(self, depth: int) -> list[str]:
        d, lines = self.d, [f"switch ({self.d.pick('n', 'n % 3', 'n / 32', 'm & 3')}) {{"]
        for case in d.random.sample(range(5), 1 + d.below(3)):
            label = case if d.chance(0.7) else case * 32
            lines += [f"case {label}: {{", *self.statements(1, depth - 1), "}"]
            if d.chance(0.7):
                lines.append("break;")
        if d.chance(0.6):
            lines += ["default: {", *self.statements(1, depth - 1), "}", d.pick("break;", "")]
        labels = [it for it in lines if it.startswith("case ")]
        return [*lines, "}"] if len(labels) == len(set(labels)) else self.simple()

    def loop(self, depth: int) -> list[str]:
        d = self.d
        self.loops += 1
        i, times = f"i{self.loops}", 1 + d.below(3)
        body = self.statements(1 + d.below(2), depth - 1)
        if d.chance(0.2):
            body.append(f"if ({self.condition()}) {d.pick('break', 'continue')};")
        way = d.below(4)
        if way == 0:
            return [f"int {i} = 0;", f"while ({i}++ < {times}) {{", *body, "}"]
        if way == 1:
            return [f"int {i} = 0;", "do {", *body, f"}} while (++{i} < {times});"]
        if way == 2:
            sizes = ", ".join(str(d.threads()) for _ in range(times))
            return [f"for (int {i} : {{{sizes}}}) {{", f"n = {i};", *body, "}"]
        if d.chance(0.3):
            return [f"for (int {i} = 32; {i} <= 128; {i} *= 2) {{", f"m = {i};", *body, "}"]
        return [f"for (int {i} = 0; {i} < {times}; {i}++) {{", *body, "}"]

    def block(self, depth: int) -> list[str]:
        """With a variable of its own that hides another."""
        d = self.d
        inner = d.pick(
            f"int n = {d.threads()};", "int k = n; n = k > 96 ? 96 : k;", f"const int m = {d.count()}; n = m;"
        )
        if "int m" in inner:
            return ["{", inner, d.launch(self.kernel, "m"), "}"]
        return ["{", inner, *self.statements(1, depth - 1), d.launch(self.kernel, "n"), "}"]

    def helper(self, depth: int) -> list[str]:
        d = self.d
        name, inside = d.name("help"), Flow(self.d, self.kernel)
        changes = [inside.change() for _ in range(1 + d.below(2))]
        way = d.below(4)
        if way == 0:
            d.say(
                f"static int {name}(int n, int m = {d.count()}) {{",
                *changes,
                f"if ({inside.condition()}) return m;",
                "return n;",
                "}",
            )
            return [f"n = {name}({d.pick('n', 'n, m', '64', 'm, n')});"]
        if way == 1:
            d.say(f"static void {name}(int &n, int m) {{", *changes, "}")
            return [f"{name}(n, m);"]
        if way == 2:
            d.say(f"static void {name}(int *p, int m) {{", f"*p = {d.pick('m', '128', '*p / 2 + 1')};", "}")
            return [f"{name}(&{d.pick('n', 'm')}, {d.pick('n', 'm', '48')});"]
        lines = inside.statements(1, depth - 1)
        d.say(f"static void {name}(int n, int m) {{", *lines, d.launch(self.kernel, d.pick("n", "m")), "}")
        return [f"{name}({d.pick('n, m', 'm, n', '64, 96')});"]

    def wrapped(self, depth: int) -> list[str]:
        """Lambdas, and variables of other kinds."""
        d = self.d
        self.loops += 1
        name = f"w{self.loops}"
        return d.random.choice(
            (
                [f"auto {name} = [&] {{ {self.change()} }};", f"{name}();"],
                [f"auto {name} = [](int n) {{ return n > 64 ? 64 : n; }};", f"n = {name}(n);"],
                [f"int &{name} = n;", f"{name} = {d.threads()};"],
                [f"int *{name} = &m;", f"*{name} = {d.count()};"],
                [f"static int {name} = {d.threads()};", f"n = {name};"],
                [f"const int {name}[] = {{32, {d.threads()}, 96}};", f"n = {name}[{d.below(3)}];"],
                [f"struct {{ int t = {d.threads()}; }} {name};", f"n = {name}.t;"],
                [f"unsigned char {name} = n;", f"n = {name} + 1;"],
                [f"auto {name} = n;", f"m = {name}; n = {d.threads()};"],
            )
        )


def dims(flow: Flow) -> None:
    """A dim3 whose members change: x of up to 128, y of up to 8."""
    d = flow.d
    d.run(
        d.pick(
            "dim3 b(64);",
            "dim3 b(32, 4);",
            "dim3 b;",
            "dim3 b = dim3(16, 2, 1);",
            "dim3 b{32, 2};",
            "dim3 b(8, 8), c(1);",
        )
    )
    for _ in range(1 + d.below(4)):
        change = d.pick(
            f"b.x = {d.count(128)};",
            f"b.y = {1 + d.below(8)};",
            f"b = dim3({d.count(128)}, {1 + d.below(4)});",
            "b.x = b.x > 64 ? 64 : b.x;",
            "if (b.y > 2) b.y /= 2;",
            f"b = {{{d.count(128)}, 2, 1}};",
            "b = dim3(96);",
        )
        guard = d.pick("", "", f"if ({flow.opaque()}()) ", "if (b.x >= 32) ")
        d.run(f"{guard}{{ {change} }}" if guard else change)
        if d.chance(0.3):
            d.run(d.launch(flow.kernel, "b"))
    d.run(d.launch(flow.kernel, d.pick("b", "dim3(b.x, b.y)", "b.x", "dim3(b.y, b.x)")))
