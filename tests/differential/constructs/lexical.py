"""How text is cut into words: comments, continued lines, raw strings, digraphs, what looks like code and is none."""

from __future__ import annotations

from collections.abc import Callable

from ..sketch import Sketch, keep
from .showing import show


def draw(d: Sketch) -> None:
    name = d.name("width")
    d.say(f"constexpr int {name} = {d.count(200)};")
    for recipe in d.random.sample(RECIPES, 1 + d.below(3)):
        recipe(d, name)
    show(d, name)


def comment(d: Sketch, name: str) -> None:
    other = d.count(200)
    d.say(
        d.pick(
            f"// constexpr int {name} = {other};",
            f"/* __global__ void {name}_no() {{ __shared__ int a[{other}]; }} */",
            f"// continued \\\n#define {name} {other}",
            f"/* // */ /* /* */ // */\n#define {name}_unused {other}",
            f"#define {name}_text /* over\n lines */ {other}",
            f"//* {name}\n/**/ /***/",
        )
    )


def string(d: Sketch, name: str) -> None:
    other = d.name("text")
    d.say(
        d.pick(
            f'static const char *{other} = "/* {name} // \\" __global__ void fake() {{";',
            f'static const char *{other} = R"(\n#define {name} 3\n__global__ void {name}_no() {{}}\n")";',
            f'static const char *{other} = R"x(")" */ {name} )x";',
            f"static const char {other} = '\"', {other}_b = '\\'', {other}_c = '/'; // '",
            f'static const char *{other} = "a" "b" /* " */ "c\\\n d";',
        )
    )


NO_CODE = (
    "it's not code",
    "#define oops 3",
    "__global__ void no() {",
    "/* closed */ ' \"",
    "#if 1\n#else\n#endif",
    "#elif_no",
    "#unknown",
)


def skipped(d: Sketch, name: str) -> None:
    """Groups that are not compiled may hold anything."""
    d.say("#if 0", d.pick(*NO_CODE).replace("oops", name), "#endif")


def continued(d: Sketch, name: str) -> None:
    macro = d.name("SPLIT")
    d.say(f"#define {macro[:3]}\\\n{macro[3:]} \\\n  {d.count(200)}")
    show(d, macro)


def digraph(d: Sketch, name: str) -> None:
    macro = d.name("DI")
    d.say(f"%:define {macro} {d.count(200)}")
    kernel = d.name("kern")
    d.say(f"__global__ void {kernel}() <%", f"  __shared__ char t<:{macro}:>;", f"  {keep('t')}", "%>")
    d.run(d.launch(kernel, macro))


NUMBERS = ("0b1000", "0x1F", "017", "1'00", "0X2a", "0B101", "12u", "5.0", "1e2", "0x1p4", "'A'")


def number(d: Sketch, name: str) -> None:
    other = d.name("num")
    d.say(f"constexpr int {other} = {d.pick(*NUMBERS)};")
    show(d, other)


def spacing(d: Sketch, name: str) -> None:
    macro, blank = d.name("SPACED"), d.pick(" ", "\t", "/**/")
    d.say(f"  #  define   {macro}(x)   (  x  )  ", f"#\n#define {macro}_B{blank}{macro}  (  {d.count(200)} )")
    show(d, f"{macro}_B")


def attribute(d: Sketch, name: str) -> None:
    kernel = d.name("kern")
    d.say(f"[[maybe_unused]] static int {kernel}_n = 1; __global__ void __launch_bounds__ /* of */ ( {name}")
    d.say(f") {kernel} ( ) {{ }}")
    d.run(d.launch(kernel, name))


RECIPES: tuple[Callable[[Sketch, str], None], ...] = (
    comment,
    string,
    skipped,
    continued,
    digraph,
    number,
    spacing,
    attribute,
)
