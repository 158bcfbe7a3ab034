"""Integers have C++'s types: promotions, conversions, literals, wrapping, what is undefined; held against compilers.

The tables are what nvcc 13.0 compiles and runs (x86-64 Linux, -std=c++20); the drawn programs are compiled by g++, as
constants, so that what is undefined does not compile and is left out.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.warp_specialization import warpgroups_by_call
from occupancy_lsp.source.lex.dialect import CUDA
from tests.source.drawn_expressions import ASSIGNING, PLAIN, TYPES, Drawing

_INCLUDES = "#include <cstdint>\n#include <cstddef>\n#include <algorithm>\n#include <cstdio>\n"
_DIM3 = "struct dim3 { unsigned x, y, z; constexpr dim3(unsigned x, unsigned y = 1) : x(x), y(y), z(1) {} };\n"
_LONGEST = 60  # expressions in one text


def values(before: str, expressions: Sequence[str], body: str = "") -> list[int | None]:
    """The bytes that launches ask for, each as a `size_t`."""
    launches = "".join(f"k<<<1, 1, {it}>>>();\n" for it in expressions)
    text = f"{before}\n__global__ void k() {{}}\nvoid h() {{\n{body}\n{launches}}}\n"
    return [
        it.configuration.dynamic.value.number
        for it in Source(text.encode(), CUDA).facts({}).launches
        if it.configuration.dynamic is not None
    ]


@pytest.mark.parametrize(
    ("before", "expression", "value"),
    [
        ("", "~0u >> 26", 63),
        ("", "(-1 < 1u) ? 64 : 32", 32),
        ("", "(-1 > sizeof(int)) ? 64 : 32", 64),
        ("", "(true ? -1 : 0u) > 5 ? 64 : 32", 64),
        ("", "(~0u >> 26) + 1", 64),
        ("", "(~31u & 100)", 96),
        ("", "(1u - 2u) >> 26", 63),
        ("", "0xffffffffu + 65u", 64),
        ("", "-1u % 100", 95),
        ("", "(-64 >> 1) + 64", 32),
        ("", "-7 / 2u", 2147483644),
        ("", "-7 % 4 + 8", 5),
        ("", "7 % -4", 3),
        ("", "1 << 31 < 0", 1),
        ("", "0xFFFFFFFF > -1", 0),
        ("", "4294967295 > -1", 1),
        ("", "0x80000000 >> 31", 1),
        ("", "2147483648 - 1", 2147483647),
        ("", "~0ull >> 58", 63),
        ("", "!5 + 3", 3),
        ("", "-'a' + 200", 103),
        ("", "'a' < 1u", 0),
        ("", "(unsigned char)300", 44),
        ("", "(signed char)200 + 100", 44),
        ("", "(short)70000", 4464),
        ("", "(bool)256 + 1", 2),
        ("", "static_cast<uint8_t>(-1)", 255),
        ("", "uint16_t(70000)", 4464),
        ("", "(uint8_t)250 + (uint8_t)10", 260),
        ("", "std::min<unsigned>(-1, 64)", 64),
        ("", "std::max<int>(4294967295u, 64)", 64),
        ("", "min(-1, 64u)", 64),
        ("", "sizeof(int) - 5 > 100 ? 1 : 2", 1),
        ("", "017 + 0b101 + 1'000", 1020),
        ("", "5u - 6 < 0", 0),
        ("", "false ? 1u : -1", 4294967295),
        ("constexpr unsigned char N = 300;", "N", 44),
        ("constexpr unsigned MASK = 31;", "~MASK & 100", 96),
        ("constexpr short S = -1;", "S < 1u", 0),
        ("const int x = 3000000000u;", "x < 0", 1),
        ("constexpr unsigned long long W = (true ? -1 : 0u);", "W > 0xffffffffull ? 32 : 96", 96),
        ("constexpr bool B = 256;", "B + B", 2),
        ("constexpr auto A = 5u;", "A - 6 > 0", 1),
        ("constexpr size_t Z = 4;", "(Z - 5) >> 60", 15),
        ("constexpr int n = -8;", "n >> 1", 18446744073709551612),
        ("constexpr int n = -9;", "n / 2 + 100", 96),
        ("enum E { A, B = 0x100000000ll };", "sizeof(E) * 16", 128),
        ("enum E { A = -1, B = 0xFFFFFFFF };", "sizeof(E)", 8),
        ("enum E : unsigned char { A = 255, B = 0 };", "A + 1", 256),
        ("enum { A = sizeof(float4) };", "A - 20 < 0", 1),
        ("enum { A = 0x80000000 };", "-1 < A", 0),
        ("constexpr int M = 3; enum { A = M, B, C };", "C - 6 < 0", 1),
        ("constexpr unsigned long M = 8; enum E { A = M, B = A - 9 > 0, C };", "A - B - C - 7", 18446744073709551614),
        ("constexpr unsigned char f(unsigned char a) { return a * 2; }", "f(200)", 144),
        ("constexpr int f(unsigned a) { return a - 3 > 0; }", "f(2)", 1),
        ("constexpr unsigned f(int a) { unsigned x = a; x >>= 4; return x; }", "f(-1) >> 20", 255),
        ("constexpr int f(short s) { s += 70000; return s; }", "f(0)", 4464),
        ("template <unsigned N> struct T { static constexpr bool v = N - 6 > 0; };", "T<5>::v", 1),
        ("template <int N> struct T { static constexpr bool v = N - 6 > 0; };", "T<5>::v", 0),
        ("template <class T, T N> struct C { static constexpr auto v = N - 6; };", "C<unsigned, 5>::v >> 28", 15),
        ("#if -1 > 0u\n#define N 64\n#else\n#define N 32\n#endif", "N", 64),
        ("#if 0xFFFFFFFF + 1 == 0x100000000\n#define N 64\n#else\n#define N 32\n#endif", "N", 64),
        ("#if 0 && 1 / 0 || 'a' == 97 && true\n#define N 64\n#else\n#define N 32\n#endif", "N", 64),
        ("#if (2 || 0 ? -1 : 0u) > 0\n#define N 64\n#else\n#define N 32\n#endif", "N", 64),
    ],
)  # fmt: skip
def test_constants(before: str, expression: str, value: int) -> None:
    assert values(before, [f"({expression})"]) == [value]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("unsigned char b = 300; size_t n = b;", 44),
        ("int x = 3000000000u; size_t n = x < 0;", 1),
        ("size_t a = 4; size_t n = (a - 5) >> 60;", 15),
        ("short s = 1; s += 70000; size_t n = s;", 4465),
        ("unsigned n = -1 / 2;", 0),
        ("int m = -8; int n = (m >> 1) + 100;", 96),
        ("unsigned n = -1; n >>= 26;", 63),
        ("auto f = true; f = 15; size_t n = f;", 1),
        ("uint8_t b = 200; b += 100; size_t n = b;", 44),
        ("uint8_t b = 200; int n = b + 100;", 300),
        ("dim3 d(-1); size_t n = d.x >> 26;", 63),
        ("dim3 d(5); d.x -= 6; size_t n = d.x >> 26;", 63),
        ("bool b = 2; int n = b + b;", 2),
        ("int m = -7; unsigned u = 2; size_t n = (m / u) & 1023;", 1020),
        ("unsigned char b = 0; --b; size_t n = b;", 255),
        ("unsigned u = 5; bool n = u - 6 > 0;", 1),
        ("int i = 70000; short s = i; size_t n = s;", 4464),
        ("long l = 1l << 32; int n = l + 64;", 64),
        ("unsigned u = ~0; int n = u == -1 ? 64 : 32;", 64),
        ("const unsigned char c{255}; int n = ~c & 511;", 256),
        ("int m = 7; m *= 1u << 31; int n = m < 0;", 1),
        ("int n = (unsigned(1000) || 8) + 9;", 10),
        ("int m = 64; int n = (long(m) == 64) + (short(m) - 2);", 63),
        ("int m = 64; size_t n = ((signed(m) - 65) & 255) + sizeof(long(*)[4]);", 263),
    ],
)  # fmt: skip
def test_host_variables(body: str, value: int) -> None:
    assert values("", ["n"], body) == [value]


@pytest.mark.parametrize("expression", ["2147483647 + 1", "-2147483647 - 2", "1 << 32", "1 << -1", "1 / 0", "5 % 0",
    "9223372036854775807 + 1", "(char)200", "(1 ? 5 : 0.5) / 2"])  # fmt: skip
def test_what_is_undefined_or_left_to_the_platform_is_not_known(expression: str) -> None:
    assert values("", [f"({expression})"]) == [None]


@pytest.mark.parametrize(
    ("expression", "value"),
    [("n * 4", 256), ("(n + 31) / 32", 2), ("n - 1", 63), ("n - 65", None), ("-n", None), ("n < -1", None),
     ("n > 0 ? n : 1", 64), ("n >> 1", 32)],
)  # fmt: skip
def test_where_a_type_is_out_of_sight_what_every_type_gives_is_known(expression: str, value: int | None) -> None:
    assert values("constexpr index_t n = 64;", [f"({expression})"]) == [value]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("auto r = 7 * 1.0; r = 3; int n = r / 2 * 32;", None),  # 48
        ("float r = 7; int n = r / 2 * 32;", None),  # 112
        ("int n = 512 * 0.3;", None),  # 153
        ("int n = 256; n *= 0.5f;", None),  # 128
        ("uint8_t a; int n; n = a = 300;", 44),
        ("int a = 61, n; n = a += 3;", None),  # 64
        ("unsigned a; long n; n = a = -1;", 4294967295),
    ],
)
def test_what_other_types_do_to_a_host_variable(body: str, value: int | None) -> None:
    assert values("", ["n"], body) == [value]


@pytest.mark.parametrize(
    ("before", "expression", "value"),
    [
        ("enum { A = ~0u, B };", "B", 4294967296),
        ("enum E { A = 0x7fffffff, B };", "sizeof(E)", 4),
        ("constexpr long N = 1l << 40; enum E { A = N, B };", "sizeof(E)", 8),
        ("constexpr int N = 3; enum E { A = N, B, C };", "C - 6 < 0", 1),
        ("enum E { A = N };", "sizeof(E)", None),  # N is out of sight
        ("using T = std::integral_constant<unsigned, 5>;", "T::value - 6 > 0", 1),
        ("#define M7 3\n#define M1 1\n", "M7 < (M1 > (2 * 3))", 0),  # no template arguments
    ],
)
def test_enumerations_and_other_constants_have_types(before: str, expression: str, value: int | None) -> None:
    assert values(before, [f"({expression})"]) == [value]


@pytest.mark.parametrize(
    ("condition", "groups"),
    [
        ("threadIdx.x > -1", ()),  # -1 is the greatest number of an unsigned type
        ("threadIdx.x / 128 - 1 == 0xFFFFFFFF", (0,)),
        ("(threadIdx.x & ~127) == 128", (1,)),
        ("threadIdx.x < 128", (0,)),
    ],
)
def test_indices_of_threads_are_unsigned(condition: str, groups: tuple[int, ...]) -> None:
    body = f"{{ if ({condition}) {{ f(); }} }}"
    assert warpgroups_by_call(body.encode(), "f", 2) == (("f", frozenset(groups)),)


@pytest.mark.parametrize(("old", "new"), [("31u", "31"), ("31u", "32u"), ("unsigned m", "int m"), ("5u", "5")])
def test_an_edit_of_a_type_is_noticed(old: str, new: str) -> None:
    code = "#define W 31u\n__global__ void k() {}\nvoid h() {\n  unsigned m = 5; auto a = 5u;\n"
    code += "  k<<<1, 1, (W - 32 > 0) + 2 * (m - 6 > 0) + 4 * (a - 6 > 0)>>>();\n}\n"
    source = Source(code.encode(), CUDA)
    source.facts({})
    at, edited = code.index(old), code.replace(old, new)
    source.replace(edited.encode(), at, at + len(old), at + len(new))
    known, fresh = (it.facts({}).launches[0].configuration.dynamic for it in (source, Source(edited.encode(), CUDA)))
    assert known is not None
    assert fresh is not None
    assert known.value.number == fresh.value.number is not None


def compiled(lines: Sequence[str], folder: Path, flags: Sequence[str]) -> subprocess.CompletedProcess[str]:
    source = folder / "drawn.cpp"
    source.write_text("".join(f"{it}\n" for it in lines))
    command = ["g++", "-std=c++23", "-w", "-fmax-errors=0", *flags, str(source)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def broken(errors: str) -> set[int]:
    return {int(it) - 1 for it in re.findall(r"drawn\.cpp:(\d+):\d+: (?:fatal )?error", errors)}


def truths(head: Sequence[str], drawn: Sequence[str], folder: Path) -> dict[int, int]:
    """What g++ makes of each, by its index; each is a definition of `v` as a constant."""
    spaces = [f"namespace p{index} {{ {it} }}" for index, it in enumerate(drawn)]
    wrong = broken(compiled([*head, *spaces], folder, ("-fsyntax-only",)).stderr)
    left = [index for index in range(len(drawn)) if index + len(head) not in wrong]
    printed = "".join(f'printf("%llu\\n", (unsigned long long)p{index}::v);' for index in left)
    program = folder / "drawn"
    lines = [*head, *(spaces[index] for index in left), f"int main() {{ {printed} }}"]
    assert compiled(lines, folder, ("-o", str(program))).returncode == 0
    said = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.split()
    return dict(zip(left, map(int, said), strict=True))


def compare(found: dict[int, int | None], truth: dict[int, int], said: Callable[[int], str], least: float) -> None:
    """None may be wrong; so many of them are to be known."""
    wrong = [(said(it), found[it], truth[it]) for it in truth if found[it] not in (None, truth[it])]
    assert not wrong
    assert sum(number is not None for number in found.values()) >= least * len(truth)


needs_gxx = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")


@needs_gxx
def test_drawn_constants_and_functions(tmp_path: Path) -> None:
    draw = Random(50)
    names = [f"c{index}" for index in range(40)]
    head = [f"constexpr {draw.choice((*TYPES, 'auto'))} {name} = {draw.choice(PLAIN)};" for name in names]
    drawn: list[str] = []
    for index in range(900):
        kinds = [draw.choice(TYPES) for _ in range(4)]
        inner, both = Drawing(draw, ("a", "b", "x")), Drawing(draw, names)
        if index % 3:
            kind = draw.choice(("auto", *TYPES))
            drawn.append(f"constexpr {kind} w{index} = {both.expression(3)}; constexpr size_t v = w{index};")
            continue
        body = f"{kinds[0]} x = {Drawing(draw, ('a', 'b')).expression(2)}; x {draw.choice(ASSIGNING)} "
        body += f"{inner.expression(1)}; return {inner.expression(2)};"
        call = f"w{index}({both.expression(0)}, {both.expression(1)})"
        head_of = f"constexpr {kinds[1]} w{index}({kinds[2]} a, {kinds[3]} b)"
        drawn.append(f"{head_of} {{ {body} }} constexpr size_t v = {call};")
    truth = truths([*_INCLUDES.splitlines(), *head], drawn, tmp_path)
    found: dict[int, int | None] = {}
    left = [*truth]
    for at in range(0, len(left), _LONGEST):
        part = left[at : at + _LONGEST]
        text = "\n".join([*head, *(f"namespace p{index} {{ {drawn[index]} }}" for index in part)])
        found |= dict(zip(part, values(text, [f"p{index}::v" for index in part]), strict=True))
    assert len(truth) > 500
    compare(found, truth, drawn.__getitem__, 0.95)


@needs_gxx
def test_drawn_host_variables(tmp_path: Path) -> None:
    draw, drawn = Random(51), []
    for _ in range(300):
        names: list[str] = []
        body = ""
        for name in ("x", "y", "d", "z"):
            value, more = (Drawing(draw, tuple(names)).expression(depth) for depth in (2, 1))
            kind = "dim3" if name == "d" else draw.choice((*TYPES, "auto"))
            body += f"{kind} {name}({value}, {more}); " if name == "d" else f"{kind} {name} = {value}; "
            names += [f"{name}.x", f"{name}.y"] if name == "d" else [name]
            step = Drawing(draw, tuple(names)).expression(1)
            forms = (f"{names[-1]} {draw.choice(ASSIGNING)} {step};", f"{names[-1]} = {step};", f"++{names[-1]};", "")
            body += draw.choice(forms) + " "
        drawn.append(f"{body}const size_t n = z;")
    constants = [f"constexpr size_t w() {{ {body} return n; }} constexpr size_t v = w();" for body in drawn]
    truth = truths([*_INCLUDES.splitlines(), _DIM3.strip()], constants, tmp_path)
    found = {index: values("", ["n"], drawn[index])[0] for index in truth}
    assert len(truth) > 150
    compare(found, truth, drawn.__getitem__, 0.9)


@needs_gxx
def test_drawn_conditions(tmp_path: Path) -> None:
    draw = Random(52)
    names = [f"M{index}" for index in range(40)]
    macros = [
        f"#define {name} ({Drawing(draw, names[:index], True).expression(1)})" for index, name in enumerate(names)
    ]
    comparisons = ("==", "<", ">", "<=", ">=")
    named = Drawing(draw, names, True)
    drawn = [f"{named.expression(3)} {draw.choice(comparisons)} {named.expression(2)}" for _ in range(600)]
    lines = [*macros]
    for index, it in enumerate(drawn):
        lines += [f"#if {it}", f"int q{index}_1;", "#else", f"int q{index}_0;", "#endif"]
    run = compiled(lines, tmp_path, ("-E", "-P", "-pedantic-errors"))
    wrong = {(line - len(macros)) // 5 for line in broken(run.stderr)}
    said = {int(index): int(held) for index, held in re.findall(r"int q(\d+)_(\d);", run.stdout)}
    truth = {index: held for index, held in said.items() if index not in wrong}
    found: dict[int, int | None] = {}
    left = [*truth]
    for at in range(0, len(left), _LONGEST):
        part = left[at : at + _LONGEST]
        text = [*macros]
        for index in part:
            text += [f"#if {drawn[index]}", f"constexpr int q{index} = 1;", "#else", f"constexpr int q{index} = 0;"]
            text += ["#endif"]
        found |= dict(zip(part, values("\n".join(text), [f"q{index}" for index in part]), strict=True))
    assert len(truth) > 500
    compare(found, truth, drawn.__getitem__, 0.75)  # g++ gives shifts by too much a value


@pytest.mark.parametrize(
    ("expression", "size"),
    [  # nvcc 13.0
        ("sizeof(char)", 8),
        ("'Z'", 1),
        ("1 + 'Z'", 4),
        ("65535ULL < !(0x3ul)", 1),
        ("v + w", 8),
        ("v ? 1u : 2ll", 8),
        ("-(short)1", 4),
        ("true + true", 4),
        ("4294967296", 8),
        ("u'x'", None),
        ("other + 1", None),
    ],
)
def test_sizes_of_expressions(expression: str, size: int | None) -> None:
    text = f"constexpr int v = 3; constexpr long w = 4;\nvoid h() {{ k<<<1, sizeof({expression})>>>(); }}\n"
    (found,) = Source(text.encode(), CUDA).facts({}).launches
    assert found.size.number == size
