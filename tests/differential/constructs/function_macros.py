"""Macros with parameters: substitution, `#`, `##`, rescanning, variadic ones, and names that are not expanded."""

from __future__ import annotations

from collections.abc import Callable

from ..sketch import Sketch
from .showing import show


def draw(d: Sketch) -> None:
    for _ in range(1 + d.below(2)):
        show(d, value(d))


def value(d: Sketch) -> str:
    """An expression from 1 to 1,024, as of where it is drawn."""
    return d.random.choice(RECIPES)(d)


def arithmetic(d: Sketch) -> str:
    """Precedence is that of the text, not of the call."""
    macro, factor = d.name("MIX"), d.name("FACTOR")
    body = d.pick("a + b", "((a) + (b))", "a * b", "(a * b + a)", "(a) * b - b", "a + b * 2")
    d.say(f"#define {macro}(a, b) {body}", f"#define {factor} {1 + d.below(3)}")
    left = d.pick(factor, f"{2 + d.below(5)} + {factor}", f"{macro}(2, {factor})", f"({factor} + 4)")
    return f"({macro}({left}, {3 + d.below(9)}) * {1 + d.below(3)} + {1 + d.below(8)})"


def paste(d: Sketch) -> str:
    """`##` joins its operands as they are written; a macro in between expands them first."""
    join, joined = d.name("JOIN"), d.name("JOINED")
    stem, index = d.name("VALUE"), d.name("INDEX")
    number = 1 + d.below(9)
    d.say(f"#define {index} {number}")
    if d.chance():
        d.say(f"#define {stem}{index} {d.count()}")
    else:
        d.say(f"static constexpr int {stem}{index} = {d.count()};")
    d.say(f"#define {stem}{number} {64 + d.below(64)}")
    lines = [f"#define {join}(a, b) a##b", f"#define {joined}(a, b) {join}(a, b)"]
    d.random.shuffle(lines)
    d.say(*lines)
    return d.pick(f"{join}({stem}, {index})", f"{joined}({stem}, {index})", f"{joined}({stem}, {number})")


def paste_number(d: Sketch) -> str:
    macro = d.name("DIGITS")
    d.say(f"#define {macro}(a, b) {d.pick('a##b', 'a ## b', '0x##a##b', '(a##b##u)', '(1##a + b)')}")
    return f"{macro}({1 + d.below(9)}, {d.below(9)})"


def string(d: Sketch) -> str:
    """`#` takes the argument as it is written, with white space made one."""
    text, expanded, named = d.name("TEXT"), d.name("EXPANDED"), d.name("NAMED")
    d.say(
        f"#define {text}(x) #x",
        f"#define {expanded}(x) {text}(x)",
        f"#define {named} {d.pick('1234567', 'a + b', 'x')}",
    )
    use = d.pick(text, expanded)
    return f"sizeof({use}({d.pick(named, f'{named}  +   2', f' ( {named} ) ', f'{named}/* no */1')}))"


def itself(d: Sketch) -> str:
    """A macro's own name in its expansion is the function's or the variable's."""
    name = d.name("own")
    if d.chance():
        d.say(f"__host__ __device__ constexpr int {name}(int x) {{ return x + {1 + d.below(9)}; }}")
        d.say(f"#define {name}(x) {name}((x) * {2 + d.below(3)})")
        return d.pick(f"{name}({4 + d.below(30)})", f"({name})({4 + d.below(30)})", f"{name}({name}({1 + d.below(9)}))")
    d.say(f"constexpr int {name} = {8 + d.below(60)};", f"#define {name} ({d.pick('4 + ', '2 * ')}{name})")
    return name


def rescanned(d: Sketch) -> str:
    """What an expansion leaves is looked at again together with the text behind it."""
    twice, alias = d.name("TWICE"), d.name("ALIAS")
    lines = [f"#define {twice}(x) ((x) * 2)", f"#define {alias} {twice}"]
    d.random.shuffle(lines)
    d.say(*lines)
    return d.pick(f"{alias}({4 + d.below(40)})", f"{alias}({twice}({4 + d.below(40)}))", f"{twice}({alias}(9))")


def deferred(d: Sketch) -> str:
    """A name that had no parenthesis behind it when it was looked at stays as it is."""
    name, nothing, later = d.name("call"), d.name("NOTHING"), d.name("LATER")
    d.say(f"__host__ __device__ constexpr int {name}(int x) {{ return x + 7; }}")
    d.say(f"#define {name}(x) ((x) * 3)", f"#define {nothing}", f"#define {later}(m) m {nothing}")
    again = d.name("AGAIN")
    d.say(f"#define {again}(x) x")
    number = 5 + d.below(40)
    return d.pick(f"{later}({name})({number})", f"{again}({later}({name})({number}))", f"{name} {nothing} ({number})")


def not_called(d: Sketch) -> str:
    """Without parentheses, a macro with parameters is not meant."""
    name = d.name("width")
    d.say(f"#define {name}(x) (x + 1)", f"static constexpr int {name} = {16 + d.below(90)};")
    return d.pick(name, f"{name}(40)", f"({name} + 2)")


def variadic(d: Sketch) -> str:
    count, many = d.name("NTH"), d.name("MANY")
    d.say(f"#define {count}(a, b, c, e, n, ...) n")
    extra = d.pick("__VA_ARGS__", "__VA_ARGS__, 100")
    d.say(f"#define {many}(...) {count}({extra}, 48, 36, 24, 12, 6)")
    arguments = ["(1, 2)", "x", "f(3, 4)", "5", "6"][: 1 + d.below(4)]
    return f"{many}({', '.join(arguments)})"


def optional(d: Sketch) -> str:
    macro = d.name("SUM")
    body = d.pick("(first __VA_OPT__(+ (__VA_ARGS__)))", "(first __VA_OPT__(* 2 + (7 , __VA_ARGS__)))")
    d.say(f"#define {macro}(first, ...) {body}")
    return d.pick(f"{macro}(40)", f"{macro}(40, 3)", f"{macro}(20 + 1, 4 * 2)", f"{macro}(30,)")


def named_variadic(d: Sketch) -> str:
    macro, sum_ = d.name("ALL"), d.name("sum")
    d.say(f"__host__ __device__ constexpr int {sum_}(int a, int b = 20, int c = 3) {{ return a * 2 + b + c; }}")
    d.say(f"#define {macro}(first, rest...) {sum_}(first, ##rest)")
    return d.pick(f"{macro}(8)", f"{macro}(8, 9)", f"{macro}(8, 9, 10)")


def empty(d: Sketch) -> str:
    macro = d.name("PAIR")
    d.say(f"#define {macro}(a, b) {d.pick('(a 0 + b 8)', '(b a 16)', '(1 a + b 24)')}")
    return d.pick(f"{macro}(, )", f"{macro}(+, +)", f"{macro}(, +)", f"{macro}( + , )")


def of_later(d: Sketch) -> str:
    """What a macro names is looked up at its use."""
    outer, inner = d.name("OUTER"), d.name("INNER")
    d.say(f"#define {outer}(x) ({inner}(x) + {inner}(1))", f"#define {inner}(x) ((x) * 3)")
    show(d, f"{outer}({1 + d.below(50)})")
    d.say(f"#undef {inner}", f"#define {inner}(x) {d.pick('((x) + 10)', '(x * 2)', '64')}")
    return f"{outer}({1 + d.below(50)})"


def over_lines(d: Sketch) -> str:
    macro = d.name("LONG")
    d.say(
        f"#define {macro}(x, \\",
        "    y) /* of two */ ((x) * \\",
        "    /* and */ (y) \\",
        f"    + {1 + d.below(9)})  // its end",
    )
    return f"{macro}({2 + d.below(6)},\n    {2 + d.below(9)})"


def declaring(d: Sketch) -> str:
    macro, name = d.name("CONSTANT"), d.name("made")
    d.say(
        f"#define {macro}(type, name, value) static {d.pick('constexpr', 'const')} type name = value{d.pick('', ';')}"
    )
    d.say(f"{macro}({d.pick('int', 'unsigned', 'unsigned char')}, {name}, {4 + d.below(200)});")
    return name


def as_object(d: Sketch) -> str:
    """One name, first with parameters and then without."""
    name = d.name("BOTH")
    d.say(f"#define {name}(x) (x * 4)")
    show(d, f"{name}({2 + d.below(30)})", here=True)
    d.say(f"#undef {name}", f"#define {name} (9)")
    return d.pick(name, f"{name} * 4", f"(3 + {name})")


RECIPES: tuple[Callable[[Sketch], str], ...] = (
    arithmetic,
    paste,
    paste_number,
    string,
    itself,
    rescanned,
    deferred,
    not_called,
    variadic,
    optional,
    named_variadic,
    empty,
    of_later,
    over_lines,
    declaring,
    as_object,
)
