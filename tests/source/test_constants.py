"""Values of constant expressions where they stand, checked against what C++ says they are."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines, with_annotation_macros
from occupancy_lsp.source.syntax.expression_nodes import UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse


def threads(source: str, arch: int = 900) -> int | str:
    """The size of the one launch in `source`, or why it is unknown."""
    content = source.encode()
    dialect = with_annotation_macros(CUDA, macro_summary_lines(content))
    (launch,) = Source(content, dialect).facts({"__CUDA_ARCH__": arch}).launches
    return launch.size.number if launch.size.number is not None else launch.size.reason


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("256", 256),
        ("0x40", 64),
        ("0b100", 4),
        ("0x10000000000000000 >> 56", "too large an integer"),  # no compiler accepts it
        ("1'024", 1024),
        ("010", 8),
        ("32u * 4", 128),
        ("(1 << 7) | 1", 129),
        ("7 / 2 * 2", 6),
        ("-7 % 4 + 8", 5),
        ("sizeof(float4) * 8", 128),
        ("sizeof(double)", 8),
        ("true ? 3 : 4", 3),
        ("std::max(3, 5)", 5),
        ("min(3, 5)", 3),
        ("static_cast<int>(9)", 9),
        ("(unsigned int)9", 9),
        ("int(9)", 9),
        ("dim3(8, 4, 2)", 64),
        ("dim3{16, 16}", 256),
        ("1 / 0", "does not fit an integer"),
        ("1 << 40", "does not fit an integer"),
        ("2.5f", "not an integer"),
        ("n", "parameter n"),
        ("f(3)", "the value of f(…)"),
        ("Traits<float>::N", "Traits<float>::N depends on template arguments"),
    ],
)
def test_expressions_in_a_launch(expression: str, value: int | str) -> None:
    assert threads(f"void h(int n) {{ k<<<1, {expression}>>>(n); }}") == value


@pytest.mark.parametrize(
    ("before", "value"),
    [
        ("#define N 64\n", 64),
        ("#define M 8\n#define N (M * M) // squared\n", 64),
        ("#define N 64 /* threads */\n", 64),
        ("constexpr int N = 64;\n", 64),
        ("#define FIXED static constexpr\nFIXED int N = 64;\n", 64),
        ("#define FIXED static inline constexpr const\n#define AGAIN FIXED\nAGAIN int N = 64;\n", 64),
        ("#define FIXED static constexpr\nstruct S { FIXED int n = 64; };\n#define N S::n\n", 64),
        ("static const unsigned N{64};\n", 64),
        ("enum { M = 63, N };\n", 64),
        ("enum Size { N = 1 << 6 };\n", 64),
        ("int N = 64;\n", "N may change at run time"),
        ("#if 0\n#define N 1\n#else\n#define N 64\n#endif\n", 64),
        ("#ifdef __CUDA_ARCH__\n#define N 64\n#else\n#define N 1\n#endif\n", 1),
        ("#if __CUDA_ARCH__ >= 900\n#define N 64\n#else\n#define N 1\n#endif\n", 1),
        ("#if BIG\n#define N 128\n#else\n#define N 64\n#endif\n", "N has several definitions"),
        (
            "#ifdef MAYBE\n#define M 1\n#endif\n#if !M\n#define N 128\n#else\n#define N 64\n#endif\n",
            "N has several definitions",
        ),
        ("#ifndef N\n#define N 64\n#endif\n", 64),
        ("#define N 1\n#undef N\n#define N 64\n", 64),
        ("#define N 1\n#define N 64\n", 64),
        ("#define N N\n", "N is not defined in any file that is read"),
        # HeCBench hungarian: each of the two names has two values, one of them by the other name.
        ("const int M = N;\nconst int M = 1;\nconst int N = 2;\nconst int N = 1 << M;\n", "N has several definitions"),
        ("namespace a { constexpr int N = 64; }\n", "N is not defined in any file that is read"),
        ("", "N is not defined in any file that is read"),
    ],
)
def test_names_of_the_file(before: str, value: int | str) -> None:
    assert threads(f"{before}void h() {{ k<<<1, N>>>(); }}\n") == value


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("const int n = 64; k<<<1, n>>>();", 64),
        ("int n = 64; k<<<1, n>>>();", 64),
        ("int n = 64; n = 32; k<<<1, n>>>();", 32),
        ("int n = 64; n++; k<<<1, n>>>();", 65),
        ("int n = 64; set(&n); k<<<1, n>>>();", "n may change at run time"),
        ("int n = 64; set(n); k<<<1, n>>>();", "n may be changed by set(…)"),
        ("int n = 64; int& r = n; r = 3; k<<<1, n>>>();", "n may change at run time"),
        ("int n = 64; std::cin >> n; k<<<1, n>>>();", "n may change at run time"),
        ("int n; k<<<1, n>>>();", "has no initial value"),
        ("dim3 b(8, 8); k<<<1, b>>>();", 64),
        ("const int x = 8; dim3 b(x, x); k<<<1, b>>>();", 64),
        ("dim3 b = dim3(8, 8); k<<<1, b>>>();", 64),
        ("dim3 b{8, 8}; k<<<1, b>>>();", 64),
        ("const int x = 8, y = 4; dim3 g(x * y, x); k<<<g, x * y>>>();", 32),  # reads like a function's declaration
        ("int f(int n); const int n = 8; void (*g)(int m) = h; int m = 4; k<<<1, m * n>>>();", 32),
        ("dim3 b(8, 8); b.x = 4; k<<<1, b>>>();", 32),
        ("{ const int n = 1; } const int n = 64; k<<<1, n>>>();", 64),
        ("const int n = 1; { const int n = 64; k<<<1, n>>>(); }", 64),
    ],
)
def test_names_of_a_function(body: str, value: int | str) -> None:
    assert threads(f"void h() {{ {body} }}\n") == value


@pytest.mark.parametrize(
    ("before", "size"),
    [
        ("template <bool wide> constexpr int width = wide ? 64 : 32;", "width<true>"),
        ("template <int N> constexpr int fixed = 64;", "fixed<4> + 32"),  # read as two comparisons
        ("template <class T> constexpr int N = 2048;\n#define SPEC(t, n) template <> constexpr int N<t> = n\n"
         "SPEC(double, 64);", "N<double>"),
    ],
)  # fmt: skip
def test_variable_templates_may_be_specialised_out_of_sight(before: str, size: str) -> None:
    assert isinstance(threads(f"{before}\nvoid h() {{ k<<<1, ({size})>>>(); }}\n"), str)


def test_namespaces_are_looked_up_from_inside_out() -> None:
    source = """
    constexpr int N = 1;
    namespace a { constexpr int N = 64; namespace b { void h() { k<<<1, N>>>(); } } }
    """
    assert threads(source) == 64


def test_qualified_names() -> None:
    assert threads("struct T { static constexpr int N = 64; };\nvoid h() { k<<<1, T::N>>>(); }") == 64
    assert threads("namespace a::b { enum class E { N = 64 }; }\nvoid h() { k<<<1, b::E::N>>>(); }") == 64


def test_deep_and_long_expressions_are_given_up() -> None:
    assert parse(b"(" * 5000 + b"1" + b")" * 5000) == UnreadableExpression("an expression that is too long")
    assert parse(b"(" * 500 + b"1" + b")" * 500) == UnreadableExpression("nested too deeply")
    assert parse(b"(int)" * 500 + b"1") == parse(b"(float)" * 500 + b"1") == UnreadableExpression("nested too deeply")
    assert threads(f"void h() {{ k<<<1, {'- ' * 300}1>>>(); }}") == "an expression nested too deeply"


@pytest.mark.parametrize(
    ("text", "block"),
    [
        # By a run: 128, as `m` says, or what `more.inc` says, which may be `+ 96`.
        ('constexpr int n = 32\n#include "more.inc"\n;\n', None),
        ('constexpr int n = 32\n#include "more.inc"\n', None),
        ("constexpr int n = 32\n#define M 96\n+ M;\n", None),
        ("constexpr int n = 32\n#pragma nv_diag_suppress 177\n+ 96;\n", None),
        ("constexpr int n = 32\n#if 1\n+ 96\n#endif\n;\n", 128),
        ('constexpr int n = 32;\n#include "more.inc"\n', 32),
        ('enum { n = 32 };\n#include "more.inc"\n', 32),
    ],
)
def test_a_declaration_may_go_on_behind_a_directive(text: str, block: int | None) -> None:
    launch = "__global__ void k() {}\nvoid go() { k<<<1, n>>>(); }\n"
    (found,) = Source((text + launch).encode(), CUDA).facts({}).launches
    assert found.configuration.block[1][0].number == block


def test_a_launch_that_another_file_is_a_part_of_has_no_size() -> None:
    text = '__global__ void k() {}\nvoid go() {\n  k<<<1, 32\n#include "more.inc"\n  >>>();\n  k<<<1, 64>>>();\n}\n'
    found = Source(text.encode(), CUDA).facts({}).launches
    assert [it.configuration.block[1][0].number for it in found] == [None, 64]
