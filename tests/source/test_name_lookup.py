"""What names mean where they stand, held against the sizes that nvcc 13.0 gives arrays of them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA

_DATA = Path(__file__).parent.parent / "data" / "nvcc" / "name_lookup.txt"
_PARTS = re.compile(r"^=== (\w+)\n(.*?)(?=^=== |\Z)", re.MULTILINE | re.DOTALL)
_CLAIM = re.compile(r"^// (\w+) (\d+)$", re.MULTILINE)
_FILES = {match[1]: match[2] for match in _PARTS.finditer(_DATA.read_text())}
# Inline namespaces, aliases of namespaces, members reached by way of directives, and what is declared twice.
_OPEN = {
    *("k_a12_1", "k_a13_0", "k_a15_0", "k_a15_1", "k_a29_2", "k_a43_2", "k_a44_1", "k_a55_1"),
}  # fmt: skip


@cache
def _most(name: str) -> dict[str, int | None]:
    text = f'#define KEEP(x) asm volatile("" :: "l"(&(x)))\n{_FILES[name]}'
    kernels = Source(text.encode(), CUDA).facts({"__CUDA_ARCH__": 900}).kernels
    return {it.name.rsplit("::", 1)[-1]: it.summary.local.highest for it in kernels}


@pytest.mark.parametrize(
    ("file", "kernel", "size"),
    [(name, kernel, int(size)) for name, text in _FILES.items() for kernel, size in _CLAIM.findall(text)],
)
def test_a_name_means_what_the_compiler_takes_it_for(file: str, kernel: str, size: int) -> None:
    assert _most(file)[kernel] == (None if kernel in _OPEN else size)


_TRAITS = "struct A {}; struct B {}; template <class T, int N> struct P { static constexpr int v = 1; };\n"


@pytest.mark.parametrize("count", [1, 30])
@pytest.mark.parametrize(
    ("others", "said", "size"),
    [
        ("template <> struct P<O#, 0> { static constexpr int v = 9; };", "P<A, 0>::v", 1),
        ("template <> struct P<A, @> { static constexpr int v = @ + 40; };", "P<A, 1>::v", 41),
        ("template <> struct P<A, @> { static constexpr int v = 9; };", "P<B, 1>::v", 1),
        ("template <class T> struct P<T, @> { static constexpr int v = 50 + @; };", "P<B, 1>::v", 51),
        ("template <int N> struct P<O#, N> { static constexpr int v = N + 60; };", "P<O0, 3>::v", 63),
        ("template <> struct P<O#, 0> { static constexpr int v = 9; };", "P<const A *, 0>::v", 3),
        ("namespace m# { const int C = 70 + #; }", "m0::C", 70),
        ("namespace m# { const int C = 70 + #; namespace in { const int D = C; } }", "m0::in::D", 70),
        ("namespace m# { const int E# = 80; } using namespace m#;", "E0", 80),
        (
            "const int F# = 1; namespace m# { const int C = 90; struct C# { static const int C = 91; }; }",
            "m0::C0::C",
            91,
        ),
    ],
)
def test_what_many_bear_is_found_as_what_few_do(count: int, others: str, said: str, size: int) -> None:
    """As `nvcc` says by `static_assert`."""
    pointers = "template <class T> struct P<T *, 0> { static constexpr int v = 3; };\n"
    each = "".join(f"struct O{i} {{}};\n{others}\n".replace("#", str(i)).replace("@", str(i + 1)) for i in range(count))
    kernel = f'__global__ void k() {{ __shared__ int s[{said}]; asm volatile("" :: "l"(&s)); }}'
    local = (
        Source(f"{_TRAITS}{pointers}{each}{kernel}".encode(), CUDA)
        .facts({"__CUDA_ARCH__": 900})
        .kernels[0]
        .summary.local
    )
    assert local.lowest == 4 * size
