"""Which declaration a name means: namespaces, shadowing, using declarations and directives, classes, `::n`."""

from __future__ import annotations

from collections.abc import Callable

from ..sketch import Sketch, keep
from .showing import show


def draw(d: Sketch) -> None:
    d.random.choice(RECIPES)(d)


def constant(d: Sketch, name: str) -> str:
    return d.pick(
        f"constexpr int {name} = {d.count()};", f"enum {{ {name} = {d.count()} }};", f"const int {name} = {d.count()};"
    )


def typed(d: Sketch, name: str) -> str:
    number = 1 + d.below(40)
    return d.pick(
        f"struct {name} {{ char c[{number}]; }};", f"using {name} = char[{number}];", f"typedef double {name};"
    )


def kernel_at(d: Sketch, uses: str, *inside: str) -> str:
    """The text of a kernel with an array of `uses`, to stand in some scope, and its name in `d.made`."""
    name = d.name("kern")
    lines = "".join(f"  {it}\n" for it in inside)
    return f"__global__ void {name}() {{\n{lines}  __shared__ char tile[{uses}];\n  {keep('tile')}\n}}"


def name_in(text: str) -> str:
    return text.split("void ")[1].split("(")[0]


def nested(d: Sketch) -> None:
    """The innermost one, unless `::` or a namespace's name says otherwise."""
    n, outer, inner = d.name("n"), d.name("outer"), d.name("inner")
    d.say(constant(d, n), f"namespace {outer} {{")
    if d.chance(0.7):
        d.say(constant(d, n))
    early = kernel_at(d, d.pick(n, f"::{n}"))
    d.say(early, f"namespace {inner} {{")
    if d.chance(0.7):
        d.say(constant(d, n))
    late = kernel_at(d, d.pick(n, f"::{n}", f"{n} + ::{n}"))
    d.say(late, f"int block() {{ return {d.pick(n, f'::{n}')}; }}", "}", "}")
    d.run(d.launch(f"{outer}::{name_in(early)}", d.pick(n, f"::{n}")))
    d.run(d.launch(f"{outer}::{inner}::{name_in(late)}", f"{outer}::{inner}::block()"))


def same_kernel(d: Sketch) -> None:
    """Kernels of one name in several namespaces."""
    name, spaces = d.name("kern"), [d.name("space") for _ in range(2)]
    made = kernel_at(d, "1").replace(d.tag, d.tag)
    for space in spaces:
        text = made.replace(name_in(made), name).replace("tile[1]", f"tile[{d.count()}]")
        d.say(f"namespace {space} {{", text, f"void go() {{ {d.launch(name, d.threads(256))} }}", "}")
    for space in spaces:
        d.run(f"{space}::go();", d.launch(f"{space}::{name}", d.threads(256)))


def directive(d: Sketch) -> None:
    """A using directive, at file scope or in a body; a declaration in a nearer scope hides what it brings."""
    n, space = d.name("n"), d.name("space")
    d.say(f"namespace {space} {{", constant(d, n), "}")
    if d.chance():
        d.say(f"using namespace {space};")
        show(d, n)
        return
    text = kernel_at(d, n, f"using namespace {space};", *([f"constexpr int {n} = {d.count()};"] if d.chance() else []))
    d.say(text)
    d.run(f"using namespace {space};", d.launch(name_in(text), n))


def declaration(d: Sketch) -> None:
    """A using declaration in a body hides what is outside."""
    n, space = d.name("n"), d.name("space")
    d.say(constant(d, n), f"namespace {space} {{", constant(d, n), "}")
    text = kernel_at(d, n, *([f"using {space}::{n};"] if d.chance(0.7) else []))
    d.say(text, f"int {n}_block() {{", *([f"  using {space}::{n};"] if d.chance(0.7) else []), f"  return {n};", "}")
    d.run(d.launch(name_in(text), f"{n}_block()", n))
    if d.chance():
        d.run("{", f"  using {space}::{n};", f"  {d.launch(name_in(text), n)}", "}", d.launch(name_in(text), n))


def local(d: Sketch) -> None:
    """What a body or a block declares hides what is outside, from there to the end of the block."""
    n = d.name("n")
    d.say(constant(d, n))
    before, block = (
        kernel_at(d, n, f"constexpr int {n} = {d.count()};"),
        kernel_at(d, n, "{", f"constexpr int {n} = 3;", f"(void){n};", "}"),
    )
    d.say(before, block)
    d.run(d.launch(name_in(before), n), f"int {n} = {d.threads()};", d.launch(name_in(before), n))
    d.run("{", f"  int {n} = {d.threads()};", f"  {d.launch(name_in(block), n)}", "}", d.launch(name_in(block), n))


def member(d: Sketch) -> None:
    """A class's members hide what is outside in it; a base's too."""
    n, type_ = d.name("n"), d.name("Type")
    d.say(constant(d, n), f"struct {type_} {{")
    own = d.chance(0.7)
    late = own and d.chance()
    if own and not late:
        d.say(f"  static constexpr int {n} = {d.count()};")
    d.say(f"  static int block() {{ return {d.pick(n, f'::{n}')}; }}")
    d.say(f"  static __host__ __device__ constexpr int size() {{ return {n} + 1; }}")
    if late:
        d.say(f"  static constexpr int {n} = {d.count()};")
    d.say("};")
    if d.chance():
        derived = d.name("Derived")
        d.say(f"struct {derived} : {type_} {{ static int block() {{ return {n}; }} }};")
        type_ = derived
    text = kernel_at(d, f"{type_}::size()")
    d.say(text)
    d.run(d.launch(name_in(text), f"{type_}::block()", f"{type_}::{n}" if own else n))


def hidden_type(d: Sketch) -> None:
    """A type's name that is declared again in an inner scope."""
    type_, space = d.name("Type"), d.name("space")
    d.say(typed(d, type_), f"namespace {space} {{", typed(d, type_))
    uses = f"sizeof({d.pick(type_, f'::{type_}')})"
    text = kernel_at(d, uses)
    d.say(text, "}")
    inner = kernel_at(d, f"sizeof({type_})", typed(d, type_))
    d.say(inner)
    d.run(d.launch(f"{space}::{name_in(text)}", f"32 + sizeof({d.pick(type_, f'{space}::{type_}')})"))
    d.run(d.launch(name_in(inner), f"32 + sizeof({type_})"))


def alias_of_space(d: Sketch) -> None:
    """Namespace aliases, inline namespaces, namespaces that are opened again."""
    n, long_, short, version = d.name("n"), d.name("long_name"), d.name("alias"), d.name("v")
    d.say(f"namespace {long_} {{ {d.pick('inline', '')} namespace {version} {{", constant(d, n), "} }")
    inline = d.text[-3].startswith(f"namespace {long_} {{ inline")
    d.say(f"namespace {short} = {long_};", f"namespace {long_} {{ constexpr int more = {version}::{n} + 2; }}")
    show(
        d,
        f"{short}::{n}"
        if inline and d.chance()
        else d.pick(f"{short}::{version}::{n}", f"{long_}::more", f"{short}::more"),
    )


def unnamed(d: Sketch) -> None:
    n = d.name("n")
    d.say("namespace {", constant(d, n))
    text = kernel_at(d, n)
    d.say(text, "}")
    d.run(d.launch(name_in(text), d.pick(n, f"::{n}")))


RECIPES: tuple[Callable[[Sketch], None], ...] = (
    nested,
    same_kernel,
    directive,
    declaration,
    local,
    member,
    hidden_type,
    alias_of_space,
    unnamed,
)
