"""Which names a declaration bears, and which it mentions: read by hand of C++'s grammar."""

from __future__ import annotations

from time import process_time

import pytest

from occupancy_lsp.slices.foreign import names_made
from occupancy_lsp.slices.hosts import defined_member
from occupancy_lsp.slices.parts import Part, parts_of
from occupancy_lsp.slices.unit import in_place_of
from occupancy_lsp.source.lex.dialect import CUDA


def parts(text: str) -> list[Part]:
    return [it for it in parts_of(text.encode(), CUDA) if it.kind == "code" and it.text.strip()]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("template <class T> struct A<T, 3> : B<T> { int x; };", "A"),
        ("struct X { enum { a, b }; int index; } y;", "X y"),
        ("enum class E : int { P, Q = 3 };", "E P Q"),
        ("enum { ONE = 1, TWO };", "ONE TWO"),
        ("template <typename T, int N = (3 > 2)> inline float f(T a, int b) { return a; }", "f"),
        ("void ns::K<T>::run(int a) const { }", "ns K run"),
        ("template <class U> inline A::operator B<U>() const { }", "A"),
        ("template <class T> A<T>::operator const T*() { }", "A"),
        ("bool operator<(A a, B<int> b) { }", ""),
        ("int a = f(3), *b;", "a b"),
        ("std::shared_ptr<logger> make(const char* x);", "make"),
        ("typedef float (*function)(int);", "function"),
        ("template <float (*op)(float), class T> void launches(T (*other)(T)) { op(1); }", "launches"),
        ("float (*pointer)(int) = f;", "pointer"),
        ("struct X { float (*member)(int); };", "X"),
        ("using X = Y<int>;", "X"),
        ("using ns::y;", "y"),
        ("__constant__ float table[3] = {1, 2};", "table"),
        ("__global__ void __launch_bounds__(256, 2) k(float* p) { p[n] = 0; }", "k"),
        ("static __device__ __forceinline__ float3 cross(float3 a) { return a; }", "cross"),
    ],
)
def test_what_is_declared(text: str, names: str) -> None:
    (part,) = parts(text)
    assert {*map(bytes.decode, part.declares)} == {*names.split()}


@pytest.mark.parametrize(
    "text",
    [
        "int a;\n",
        "\n\nstruct A {\n#ifdef B\n    int b;\n#endif\n};\n",
        "struct A {\n#if B \\\n    \\\n\n#endif\n};\n",
        "int f(\n#if B\n);\n",
    ],
)
def test_what_stands_for_a_part(text: str) -> None:
    """It is on none of the preprocessor's lines, and moves none."""
    (part,) = parts(text)
    instead = in_place_of(part, b"namespace A {}")
    left = instead.replace(b"namespace A {}", b"")
    assert left == part.lines and instead.count(b"namespace A {}") == 1
    (line,) = (it for it in instead.split(b"\n") if b"namespace" in it)
    assert line == b"namespace A {}"


def test_what_is_mentioned() -> None:
    (part,) = parts("__device__ int f(A a) { return a.size() + p->length + ns::g<B>(1) + T<C>::value; /* D */ }")
    assert {b"A", b"B", b"C", b"ns", b"ns::g"} <= part.names
    assert not part.names & {b"size", b"length", b"value", b"D"}


def test_where_a_part_stands() -> None:
    first, second = parts("// of a\nint a;\n\nnamespace n { namespace {\n\nint b;\n} }\n")
    assert (first.line, first.namespaces) == (2, ())
    assert (second.line, second.namespaces) == (6, (b"n", b""))


def test_what_goes_keeps_its_preprocessor_lines_and_its_length() -> None:
    (part,) = parts("void f() {\n#if A\n  g();\n#endif\n}\n")
    assert part.lines == b"\n#if A\n\n#endif\n\n"


@pytest.mark.parametrize(
    "text", ["template struct A<1>;\n\n", "using namespace a;\n", "int a;\n#ifdef B\nint b;\n#endif\n"]
)
def test_what_goes_keeps_its_lines(text: str) -> None:
    """Else the compiler's errors would be told of other lines than those of the file."""
    for part in parts(f"\n{text}int last;\n"):
        assert part.lines.count(b"\n") == part.text.count(b"\n")


@pytest.mark.parametrize(
    ("template", "inside", "outside"),
    [
        ("#pragma once\n#cmakedefine WITH_X\n#define VERSION @A_VERSION@ // Y\n", "WITH_X VERSION", "Y WITH A_VERSION"),
        ('#cmakedefine01 HAVE_2D\n/* NOT_HERE */\nstatic const char* by = "${NAME}";\n', "HAVE_2D by", "NOT_HERE X"),
        ("#define @LIB@_MAJOR 1\n#define V2_${LIB} 2\n", "NVCV_MAJOR V2_x", "MAJOR2 V3_x"),
    ],
)
def test_what_a_generated_header_may_define(template: str, inside: str, outside: str) -> None:
    names = names_made(template)
    assert names is not None
    assert all(map(names.fullmatch, inside.split())) and not any(map(names.fullmatch, outside.split()))


@pytest.mark.parametrize("template", ["#include <other.h>\n", "#define A 1\n@MORE@\n", "  ${LINES}\n"])
def test_a_generated_header_that_may_define_anything(template: str) -> None:
    assert names_made(template) is None


@pytest.mark.parametrize("long", ["a" * 20_000, "a" + " " * 60_000])
def test_a_long_name_is_read_in_linear_time(long: str) -> None:
    (part,) = parts(f"T<int> {long} C::f(int n) {{ n = 1; }}")
    start = process_time()
    defined_member(part, CUDA)
    assert process_time() - start < 1
