"""Values of constant expressions, each one that nvcc's static_assert holds for."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.sema.translation_unit import NOTHING

_DATA = Path(__file__).parent.parent / "data" / "nvcc"
_FILE, _LAYOUT = ((_DATA / name).read_text() for name in ("constexpr.cu", "layout.cu"))


def _claims(text: str) -> list[tuple[str, int]]:
    return [(match[1], int(match[2])) for match in re.finditer(r"static_assert\((.*) == (-?\d+), \"\"\);", text)]


# `SUM * 1` is `2 + 3 * 1`: a macro that an operator tears apart, or may tear apart, is not worked out.
_ABSTAINED = {"SUM * 1", "SUM * 2", "20 - DIFFERENCE"}


def threads(expression: str, before: str = _FILE) -> int | None:
    source = Source(f"{before}\nvoid h(int n) {{ k<<<1, {expression}>>>(n); }}\n".encode(), CUDA)
    nothing_set = replace(NOTHING, settable=frozenset())
    (launch,) = source.facts({"__CUDA_ARCH__": 800}, (nothing_set,)).launches
    return launch.size.number


@pytest.mark.parametrize(("expression", "value"), _claims(_FILE))
def test_the_compiler_says_the_same(expression: str, value: int) -> None:
    # A launch takes no negative size; the sum is what is compared.
    assert threads(f"({expression}) + 10") == (None if expression in _ABSTAINED else value + 10)


_NOT_SIZED = {"long double"}  # which differs between hosts and devices


@pytest.mark.parametrize(("expression", "value"), _claims(_LAYOUT))
def test_the_compiler_lays_types_out_the_same(expression: str, value: int) -> None:
    told = not any(f"({name})" in expression for name in _NOT_SIZED)
    assert threads(expression, _LAYOUT) == (value if told else None)


_OF_OPTIONAL = (
    "enum class L : unsigned char { a }; struct E {}; struct S { char a[3]; }; struct D { double d; int i; };"
    " template <class T> using cs = cuda::std::optional<T>;"
)


# As nvcc 13.0 says of libstdc++'s and libcu++'s.
@pytest.mark.parametrize(
    ("kind", "size"),
    [("char", 2), ("short", 4), ("int", 8), ("double", 16), ("L", 2), ("E", 2), ("S", 4), ("D", 24), ("int*", 16)],
)
def test_the_size_of_an_optional(kind: str, size: int) -> None:
    assert threads(f"sizeof(std::optional<{kind}>)", _OF_OPTIONAL) == size
    assert threads(f"sizeof(cs<{kind}>)", _OF_OPTIONAL) == size
    assert threads(f"sizeof(std::optional<{kind}>)", f"{_OF_OPTIONAL} template <class T> struct optional {{}};") is None


@pytest.mark.parametrize(
    "body",
    [
        "int s = 0; while (true) { ++s; } return s;",  # no end
        "int s = n; return s * unknown();",
        "static int calls = 0; return ++calls;",
        "int s; return s;",
        "return f(n) + f(n);",  # a circle
        "int a[2] = {1, 2}; return a[1];",
        "if (n > other) return 1; return 2;",
        "goto out; out: return n + unknown();",
        "asm(\"nop\" : \"+r\"(n)); return n;",
        "n = unknown(); throw 1; return n;",
    ],
)  # fmt: skip
def test_what_is_not_worked_out(body: str) -> None:
    assert threads("f(3)", f"constexpr int f(int n) {{ {body} }}") is None


_DOUBLING = "struct S0 { int n = 1; };\n" + "".join(
    f"struct S{i} {{ S{i - 1} a{{}}, b{{}}; int n = {i}; }};\n" for i in range(1, 60)
)
_FLOOD = "#define FLOOD(x) {" + "int a; " * 5000 + "}\n"


@pytest.mark.parametrize(
    ("before", "expression", "value"),
    [
        (_DOUBLING, "S5{}.n", 5),
        (_DOUBLING, "S59{}.n", None),
        (f"{_FLOOD}constexpr int f() {{ {'FLOOD(1) ' * 2000} return 64; }}", "f()", None),
    ],
    ids=["small", "huge objects", "huge expansions"],
)
def test_what_would_grow_without_end_is_not_worked_out(before: str, expression: str, value: int | None) -> None:
    assert threads(expression, before) == value
