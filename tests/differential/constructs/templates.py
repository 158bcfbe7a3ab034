"""Templates: parameters of values and types, defaults, specialisations, instances by launches and by name."""

from __future__ import annotations

from collections.abc import Callable

from ..sketch import Sketch, keep
from .showing import show

TYPES = ("char", "short", "int", "float", "double", "float4", "unsigned char")


def draw(d: Sketch) -> None:
    d.random.choice((kernels, kernels, typed, explicit, value_of))(d)


def value_of(d: Sketch) -> None:
    show(d, value(d))


def value(d: Sketch) -> str:
    return d.random.choice(RECIPES)(d)


def kernels(d: Sketch) -> None:
    """A kernel whose sizes are of its arguments, launched with several."""
    name = d.name("kern")
    default = d.chance(0.3)
    extent = d.pick("N", "N * 2", "N + M", "N > 64 ? N : 64")
    bounds = d.pick("", "__launch_bounds__(N)", "__launch_bounds__(N, M)", "__launch_bounds__(N < 128 ? 128 : N)")
    d.say(
        f"template <int N, {d.pick('int', 'unsigned')} M{' = 2' if default else ''}>",
        f"__global__ void {bounds} {name}() {{",
    )
    d.say(f"  __shared__ float tile[{extent}];", f"  {keep('tile')}", "}")
    for _ in range(1 + d.below(3)):
        size = d.threads(512)
        given = str(size) if default and d.chance() else f"{size}, {1 + d.below(2)}"
        if d.chance(0.3):
            constant = d.name("width")
            d.say(f"constexpr int {constant} = {size};")
            given = given.replace(str(size), constant, 1)
        d.run(d.launch(f"{name}<{given}>", size))


def typed(d: Sketch) -> None:
    """Of a type's size; the arguments may be deduced from the call's."""
    name = d.name("kern")
    count = d.count()
    deduced = d.chance()
    parameters = "T *p" if deduced else ""
    d.say("template <typename T>", f"__global__ void {name}({parameters}) {{")
    d.say(f"  __shared__ T tile[{count}];", f"  {keep('tile')}", "}")
    for at, type_ in enumerate(d.random.sample(TYPES, 1 + d.below(2))):
        if deduced:
            variable = f"p{at}"
            d.run(f"{type_} *{variable} = nullptr;", d.launch(name, d.threads(), f"sizeof({type_}) * 8", variable))
        else:
            d.run(d.launch(f"{name}<{type_}>", d.threads()))


def explicit(d: Sketch) -> None:
    """Explicit instantiation, and a full specialisation with sizes of its own."""
    name = d.name("kern")
    d.say(
        "template <int N>",
        f"__global__ void __launch_bounds__(N) {name}() {{",
        "  __shared__ int tile[N];",
        f"  {keep('tile')}",
        "}",
    )
    sizes = d.random.sample((32, 64, 96, 128, 256, 512), 2)
    if d.chance():
        d.say("template <>", f"__global__ void {d.pick('', '__launch_bounds__(128)')} {name}<{sizes[0]}>() {{")
        d.say(f"  __shared__ int tile[{d.count()}];", f"  {keep('tile')}", "}")
    if d.chance():
        d.say(f"template __global__ void {name}<{sizes[1]}>();")
    for size in sizes:
        if d.chance(0.7):
            d.run(d.launch(f"{name}<{size}>", min(size, 128)))


def member(d: Sketch) -> str:
    type_ = d.name("Traits")
    d.say(f"template <int N, typename T = {d.pick(*TYPES)}>", f"struct {type_} {{")
    d.say(
        f"  static constexpr int size = N {d.pick('+', '*')} sizeof(T);",
        f"  enum {{ half = N / 2 + {1 + d.below(9)} }};",
    )
    d.say("  using element = T;", "};")
    given = d.pick("8", "16, double", "3 * 4, short", "(9 > 4), char")
    return d.pick(f"{type_}<{given}>::size", f"{type_}<{given}>::half", f"sizeof({type_}<{given}>::element)")


def specialised(d: Sketch) -> str:
    type_ = d.name("Size")
    d.say("template <typename T>", f"struct {type_} {{ static constexpr int value = {d.count()}; }};")
    d.say("template <>", f"struct {type_}<double> {{ static constexpr int value = {d.count()}; }};")
    d.say(
        "template <typename T>",
        f"struct {type_}<T *> {{ static constexpr int value = {type_}<T>::value + {1 + d.below(9)}; }};",
    )
    alias = d.name("alias")
    d.say(f"using {alias} = {d.pick('double', 'float', 'int *')};")
    return f"{type_}<{d.pick('int', 'double', 'double *', 'int **', 'const double', alias)}>::value"


def recursive(d: Sketch) -> str:
    type_ = d.name("Power")
    d.say("template <int N>", f"struct {type_} {{ static constexpr int value = 2 * {type_}<N - 1>::value; }};")
    d.say("template <>", f"struct {type_}<0> {{ static constexpr int value = {1 + d.below(3)}; }};")
    return f"{type_}<{d.below(8)}>::value"


def variable(d: Sketch) -> str:
    name = d.name("per")
    d.say("template <typename T>", f"constexpr int {name} = {128} / sizeof(T);")
    if d.chance():
        d.say("template <>", f"constexpr int {name}<char> = {d.count()};")
    return f"{name}<{d.pick(*TYPES)}>"


def function(d: Sketch) -> str:
    name = d.name("count")
    parameters = d.pick("int N, int M = 4", "int N, unsigned M = 3")
    d.say(f"template <{parameters}>", f"__host__ __device__ constexpr int {name}() {{")
    d.say(
        d.pick(
            "  return N * M;",
            "  if constexpr (N > 10) return N; else return M + N;",
            "  int s = 0; for (int i = 0; i < N; ++i) s += M; return s;",
        ),
        "}",
    )
    return f"{name}<{1 + d.below(30)}{d.pick('', ', 5')}>()"


def overloaded(d: Sketch) -> str:
    """Deduced from the argument's type."""
    name = d.name("width")
    d.say("template <typename T>", f"__host__ __device__ constexpr int {name}(T) {{ return {d.count()} + sizeof(T); }}")
    if d.chance():
        d.say(f"__host__ __device__ constexpr int {name}({d.pick('double', 'int', 'char')}) {{ return {d.count()}; }}")
    return f"{name}({d.pick('1', '1.0', '1.0f', 'char(1)', '1u', 'true')})"


def alias(d: Sketch) -> str:
    name = d.name("Row")
    d.say("template <typename T, int N>", f"using {name} = T[N];")
    return f"sizeof({name}<{d.pick(*TYPES)}, {1 + d.below(30)}>)"


def pack(d: Sketch) -> str:
    name = d.name("Sum")
    way = d.pick("sizeof...(Ns)", "(Ns + ... + 0)", "(0 + ... + int(sizeof(char[Ns])))")
    d.say("template <int... Ns>", f"struct {name} {{ static constexpr int value = 1 + {way}; }};")
    numbers = ", ".join(str(1 + d.below(20)) for _ in range(d.below(4)))
    return f"{name}<{numbers}>::value" if numbers else f"{name}<3>::value"


RECIPES: tuple[Callable[[Sketch], str], ...] = (
    member,
    specialised,
    recursive,
    variable,
    function,
    overloaded,
    alias,
    pack,
)
