"""Where one argument of `__launch_bounds__` ends, held against what nvcc 13.0 makes of it: None where it says nothing,
0 where our reader does not know the number."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines, with_annotation_macros

_NAMES = """
template <int... N> constexpr int sum = (0 + ... + N);
template <class... A> struct Count { static constexpr int n = sizeof...(A); };
constexpr int N = 4;
#define COMMA ,
#define ID(x) x
#define FIRST(a, ...) a
#define REST(a, ...) __VA_ARGS__
#define BOTH 128, 2
#define BOUNDS(...) __launch_bounds__(__VA_ARGS__)
"""


@pytest.mark.parametrize(
    ("bounds", "most", "least"),
    [
        ("__launch_bounds__(sum<32, 64, 32>)", 0, None),  # 128
        ("__launch_bounds__(sum<1, 2, 3> * 32)", 0, None),  # 192
        ("__launch_bounds__(sum<32, 64>, 2)", 0, 2),  # 96, 2
        ("__launch_bounds__(sum<sum<2, 3>, 4>, 2)", 0, 2),  # 9, 2
        ("__launch_bounds__(128, Count<int, char>::n)", 128, 0),  # 128, 2
        ("__launch_bounds__(Count<char, int>::n * Count<int, int>::n, 5)", 0, 5),  # 4, 5
        ("__launch_bounds__(N<4 ? 128 : 256, N>4 ? 1 : 2)", 256, 2),
        ("BOUNDS(sum<32, 64>)", 0, None),  # 96
        ("BOUNDS(sum<32, 64>, 3)", 0, 3),  # 96, 3
        ("__launch_bounds__(BOTH)", 128, 2),
        ("__launch_bounds__(64 ID(COMMA) 2)", 64, 2),
        ("__launch_bounds__(FIRST(REST(1, 96, 2)))", 96, 2),
    ],
)
def test_commas_in_template_arguments_and_those_that_macros_make(bounds: str, most: int, least: int | None) -> None:
    text = f"{_NAMES}__global__ void {bounds} k() {{}}".encode()
    (kernel,) = Source(text, with_annotation_macros(CUDA, macro_summary_lines(text))).facts({}).kernels
    found = kernel.attributes.bounds
    assert found is not None
    assert found.max_threads.value.number == (most or None)
    assert (found.min_groups and (found.min_groups.value.number or 0)) == least


@pytest.mark.parametrize(
    ("bounds", "most", "least"),
    [
        ("__launch_bounds__(\n#if N == 2\n256, 4\n#else\n128, 2\n#endif\n)", 128, 2),
        ("__launch_bounds__(256\n#ifdef NOT_SET\n, 4\n#endif\n)", 0, 0),  # 256, and 4 or nothing
        ("__launch_bounds__(256\n#if N == 4\n, 4\n#endif\n)", 256, 4),
        ("__launch_bounds__(\n#if N == 2\n64\n#elif N == 4\n96\n#endif\n)", 96, None),
        ("__launch_bounds__(\n#if N == 4\n#if N == 4\n64\n#else\n32\n#endif\n#endif\n)", 0, None),  # 64
        ("__launch_bounds__(\n#if N == 4\n64\n#endif\n,\n#if N == 4\n3\n#endif\n)", 0, None),  # 64, 3
        ("__attribute__((launch_bounds(\n#if N == 2\n256, 4\n#else\n128, 2\n#endif\n)))", 128, 2),
    ],
)
def test_branches_of_an_if_between_the_parentheses(bounds: str, most: int, least: int | None) -> None:
    text = f"#define N 4\n__global__ void {bounds}\nk() {{}}\n".encode()
    (kernel,) = Source(text, CUDA).facts({}).kernels
    found = kernel.attributes.bounds
    assert found is not None
    assert found.max_threads.value.number == (most or None)
    assert (found.min_groups and (found.min_groups.value.number or 0)) == least
