"""What calls and conditions mean is kept where their texts and names say the same: other edits are noticed."""

from __future__ import annotations

import pytest
from msgspec import structs

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.syntax.known_value import Value

_LIBRARY = """
template <int N> __device__ float sum(float *p) {
  __shared__ float s[N]; s[threadIdx.x] = *p; __syncthreads(); return s[1]; }
#define RUN(...) k<<<grid, block, bytes>>>(p, n)
#define RUN_SIZED(S) k<<<grid, S, 0>>>(p, n)
#define RUN_TYPED(T, S) typed<T, S * depth><<<1, 32>>>(p)
__global__ void k(float *p, int n) { extern __shared__ float x[]; x[0] = p[n]; p[n] = x[1]; }
__global__ void other(float *p, int n) { p[n] = 1; }
template <typename T, int S> __global__ void typed(float *p) { __shared__ T s[S]; s[threadIdx.x] = *p; p[0] = s[1]; }
"""
_EDITS = {
    "a constant": (
        "__global__ void own(float *p) { const int width = 64; p[0] = sum<width>(p); }",
        ("width = 64", "width = 128"),
    ),
    "a constant by way of another": (
        "__global__ void own(float *p) { const int width = 64; const int all = width * 2; p[0] = sum<all>(p); }",
        ("width = 64", "width = 128"),
    ),
    "an alias": (
        "__global__ void own(float *p) { using T = float; __shared__ T s[4]; s[0] = 1; p[0] = sum<sizeof(T) * 8>(p); }",
        ("T = float", "T = double"),
    ),
    "an alias of an alias": (
        "__global__ void own(float *p) { using S = float; using T = S; p[0] = sum<sizeof(T) * 8>(p); }",
        ("S = float", "S = double"),
    ),
    "a condition": (
        "__global__ void own(float *p) { constexpr bool large = false; if constexpr (large) p[0] = sum<32>(p); }",
        ("large = false", "large = true"),
    ),
    "a constant under a condition of the preprocessor": (
        "__global__ void own(float *p) {\n#if __CUDA_ARCH__ >= 800\nconstexpr int width = 64;"
        " p[0] = sum<width>(p);\n#endif\n}",
        ("width = 64", "width = 128"),
    ),
    "the condition of the preprocessor itself": (
        "__global__ void own(float *p) {\n#if __CUDA_ARCH__ >= 800\nconstexpr int width = 64;\n#else\n"
        "constexpr int width = 32;\n#endif\np[0] = sum<width>(p); }",
        ("__CUDA_ARCH__ >= 800", "1"),
    ),
    "where a condition of the preprocessor ends": (
        "__global__ void own(float *p) {\n#if CHECKED\nconstexpr int width = 64;\n#endif\n;\n"
        "p[0] = sum<width>(p);\n       \n}",
        ("#endif\n;\np[0] = sum<width>(p);\n       \n", "      \n;\np[0] = sum<width>(p);\n#endif\n"),
    ),
    "a launch by a macro": (
        "void run(float *p, int n) { dim3 grid(n); dim3 block(64); int bytes = 1024; RUN(); }",
        ("block(64)", "block(128)"),
    ),
    "bytes of a launch by a macro": (
        "void run(float *p, int n) { dim3 grid(n); dim3 block(64); int bytes = 1024; RUN(); }",
        ("bytes = 1024", "bytes = 2048"),
    ),
    "one of two assignments": (
        "void run(float *p, int n) { dim3 grid(n); int bytes = 0; int block;"
        " if (n > 64) { block = 128; } else { block = 32; } RUN(); }",
        ("block = 32", "block = 256"),
    ),
    "a member of a size": (
        "void run(float *p, int n) { dim3 grid(n); dim3 block; int bytes = 0; block.x = 32; RUN(); }",
        ("block.x = 32", "block.x = 64"),
    ),
    "an assignment between": (
        "void run(float *p, int n) { dim3 grid(n); int block = 64, bytes = 0; n += 1; RUN(); }",
        ("n += 1;", "block = n;"),
    ),
    "an argument's variable": (
        "void run(float *p, int n) { dim3 grid(n); int size = 64; RUN_SIZED(size); RUN_SIZED(size); }",
        ("size = 64", "size = 96"),
    ),
    "an argument of a template that a macro makes": (
        "void run(float *p) { using T = float; constexpr int size = 64, depth = 2; RUN_TYPED(T, size); }",
        ("size = 64", "size = 96"),
    ),
    "a type that it is given": (
        "void run(float *p) { using T = float; constexpr int size = 64, depth = 2; RUN_TYPED(T, size); }",
        ("T = float", "T = double"),
    ),
    "what the text of the macro names": (
        "void run(float *p) { using T = float; constexpr int size = 64, depth = 2; RUN_TYPED(T, size); }",
        ("depth = 2", "depth = 4"),
    ),
    "the extent of a variable": (
        "__global__ void own(float *p) { constexpr int width = 64; __shared__ float s[width]; s[0] = *p; *p = s[1]; }",
        ("width = 64", "width = 128"),
    ),
    "the type of a variable": (
        "__global__ void own(float *p) { using T = float; { __shared__ T s[64]; s[0] = *p; *p = s[1]; } }",
        ("T = float", "T = double"),
    ),
    "a type that hides another": (
        "__global__ void own(float *p) { using T = float; { int T2; __shared__ T s[64]; s[0] = *p; *p = s[1]; } }",
        ("int T2;", "using T = double;"),
    ),
    "where a scope ends": (
        "void run(float *p, int n) { dim3 grid(n); int block = 64, bytes = 0; { int block = 32; } RUN(); }",
        ("{ int block = 32; }", "  int block = 32;  "),
    ),
    "a branch that is not compiled": (
        "template <bool B> void run(float *p, int n) { dim3 grid(n); int block = 64, bytes = 0;"
        " constexpr bool C = false; if constexpr (C) { RUN(); } }\nvoid all(float *p) { run<true>(p, 4); }",
        ("C = false", "C = true"),
    ),
    "a value that a written launch may have": (
        "void run(float *p, int n) { int size = 32; if (n > 9) size = 64; k<<<n, size>>>(p, n); }",
        ("size = 64", "size = 96"),
    ),
    "an assignment before a written launch": (
        "void run(float *p, int n) { int size = 32; n = size * 2; k<<<1, size, n>>>(p, n); }",
        ("n = size * 2;", "size = 96 + n;"),
    ),
    "the type of what a written launch is given": (
        "void run(float *p, unsigned char n) { k<<<1, n, n>>>(p, n); }",
        ("unsigned char n", "unsigned int n"),
    ),
    "an argument of a function around a written launch": (
        "static void run(float *p, int n) { k<<<1, n, n * 4>>>(p, n); }\n"
        "void all(float *p, int m) { run(p, m > 4 ? 64 : 128); }",
        ("? 64 :", "? 32 :"),
    ),
    "whether others may call a function around a written launch": (
        "static void run(float *p, int n) { k<<<1, n, n * 4>>>(p, n); }\n"
        "void all(float *p, int m) { run(p, m > 4 ? 64 : 128); }",
        ("static", ""),
    ),
    "whether the variable of a written launch is changed elsewhere": (
        "void take(int *n);\nvoid run(float *p, int n) { int size = 64; p[n] = 1; k<<<1, size, size>>>(p, n); }",
        ("p[n] = 1;", "take(&size);"),
    ),
    "a macro that chooses what a written launch is given": (
        "#define CHOOSE(N, ...) [&] { if (n == 1) { constexpr int N = 64; __VA_ARGS__(); } else {"
        " constexpr int N = 96; __VA_ARGS__(); } }()\n"
        "#define TAKE(N, ...) [&] { constexpr int N = 32; __VA_ARGS__(); }()\n"
        "void run(float *p, int n) { TAKE(M, [&] { ; }); CHOOSE(N, [&] { k<<<1, N, N * 4>>>(p, n); }); }",
        ("TAKE(M,", "TAKE(N,"),
    ),
    "how the block of a launch bounds its bytes": (
        "void run(float *p, unsigned n) { unsigned all = n; k<<<1, n, n * 4>>>(p, n); }",
        ("k<<<1, n,", "k<<<1, all,"),
    ),
    "the loop around a written launch": (
        "void run(float *p, int n) { for (int size = 32; size < n; size += 1) { k<<<1, size, size>>>(p, n); } }",
        ("size += 1", "n -= 1"),
    ),
}


def _shown(source: Source) -> list[object]:
    facts = source.facts({})
    kernels = [
        (it.name, it.summary.local.lowest, it.summary.local.highest, it.summary.barriers) for it in facts.kernels
    ]
    launches = [
        (
            it.kernel,
            source.start_of(it.place.item) + it.place.start,
            it.size,
            it.configuration.dynamic and it.configuration.dynamic.value,
        )
        for it in facts.launches
    ]
    return [*kernels, *((*it[:2], *map(_without_places, it[2:])) for it in launches)]


def _without_places(value: Value | None) -> object:
    return value and structs.replace(value, literal=None)


@pytest.mark.parametrize(("code", "edit"), _EDITS.values(), ids=_EDITS.keys())
def test_an_edit_elsewhere_in_the_function_is_noticed(code: str, edit: tuple[str, str]) -> None:
    before = (_LIBRARY + code + "\n").encode()
    old, new = (it.encode() for it in edit)
    at = before.index(old)
    after = before[:at] + new + before[at + len(old) :]
    source = Source(before, CUDA)
    first = _shown(source)
    source.replace(after, at, at + len(old), at + len(new))
    found = _shown(source)
    assert found == _shown(Source(after, CUDA))
    assert found != first
    source.replace(before, at, at + len(new), at + len(old))
    assert _shown(source) == first


_WAY = """
template <class F> void launch(F f, int size, float *p, int n) { f<<<1, size>>>(p, n); }
__global__ void k(float *p, int n) { p[n] = 1; }
"""


@pytest.mark.parametrize(
    "calls", ["if (n == 63) {{ {0} }} {0}", "{0} if (n == 63) {{ {0} }}"], ids=["tested first", "tested last"]
)
def test_what_a_test_tells_of_a_variable_is_told_of_those_made_of_it(calls: str) -> None:
    """The same text and the same definitions: only where the call stands tells them apart."""
    code = f"void run(float *p, int n) {{ const int size = n + 1; {calls.format('launch(k, size, p, 1);')} }}\n"
    sizes = [it.size.number for it in Source((_WAY + code).encode(), CUDA).facts({}).launches]
    assert sorted(sizes, key=str) == [64, None, None]


def test_what_a_test_tells_is_told_by_its_content() -> None:
    """So that a key elsewhere in the function follows no call again, and one in the test those under it."""
    calls = "if (n == 63) { launch(k, size, p, 1); } switch (n) { case 31: launch(k, n, p, 1); }"
    text = f"{_WAY}void run(float *p, int n) {{ const int size = n + 1; {calls} p[n] = 1; }}\n".encode()
    source = Source(text, CUDA)
    source.facts({})
    computed = source._first_environment().queries.computed
    before = computed["launches of a call"]

    def edited(old: bytes, new: bytes) -> list[int | None]:
        nonlocal text
        at = text.index(old)
        text = text[:at] + new + text[at + len(old) :]
        source.replace(text, at, at + len(old), at + len(new))
        assert _shown(source) == _shown(Source(text, CUDA))
        return [it.size.number for it in source.facts({}).launches]

    assert edited(b"{ const", b"{ int q = 1; const")[1:] == [64, 31]
    assert computed["launches of a call"] == before
    assert edited(b"n == 63", b"n == 95")[1:] == [96, 31]
    assert computed["launches of a call"] == before + 1
    assert edited(b"case 31", b"case 32")[1:] == [96, 32]
    assert computed["launches of a call"] == before + 2


def test_launches_of_the_same_text_under_tests_have_sizes_of_their_own() -> None:
    launches = "if (n == 64) { k<<<1, n, n>>>(p, n); } k<<<1, n, n>>>(p, n); if (n == 96) { k<<<1, n, n>>>(p, n); }"
    code = f"void run(float *p, int n) {{ {launches} }}\n"
    found = Source((_LIBRARY + code).encode(), CUDA).facts({}).launches
    assert [(it.size.number, it.configuration.dynamic and it.configuration.dynamic.value.number) for it in found] == [
        (64, 64),
        (None, None),
        (96, 96),
    ]


@pytest.mark.parametrize("between", ["#undef WIDTH\n", ""])
def test_a_macro_that_is_defined_again_in_a_function_means_another(between: str) -> None:
    calls = f"#define WIDTH 64\np[0] = sum<WIDTH>(p);\n{between}#define WIDTH 128\np[1] = sum<WIDTH>(p);\n"
    code = f"__global__ void own(float *p) {{\n{calls}}}\n"
    own = Source((_LIBRARY + code).encode(), CUDA).facts({}).kernels[-1]
    assert own.summary.local.exact == (64 + 128) * 4
