"""Which instances of a host's template launch, held against runs of what nvcc 13.0 makes of them."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA


def _threads(text: str) -> list[int | None]:
    facts = Source(f"__global__ void k() {{}}\n{text}".encode(), CUDA).facts({})
    return [it.size.number for it in facts.launches]


@pytest.mark.parametrize(
    ("text", "threads"),
    [
        (
            "template <int N> void go() { k<<<1, N * 8>>>(); if constexpr (N > 1) go<N / 2>(); }\n"
            "void f() { go<4>(); }",
            [32, 16, 8],
        ),
        (
            "template <int N> void go() { k<<<1, N>>>(); go<N - 1>(); }\ntemplate <> void go<1>() {}\n"
            "void f() { go<3>(); }",
            [3, 2],
        ),
        (
            "template <int N> void go() { k<<<1, N>>>(); if (N > 2) go<N - 1>(); }\ntemplate <> void go<0>() {}\n"
            "void f() { go<4>(); }",
            [4, 3, 2],
        ),
        (
            "template <class T, int N> struct Of { static constexpr int threads = N; };\n"
            "template <class T> void go() { using own = Of<T, sizeof(T) * 16>; k<<<1, own::threads>>>(); }\n"
            "template void go<float>();\ntemplate void go<at::BFloat16>();",
            [64, 32],
        ),
    ],
)
def test_those_that_the_template_itself_makes(text: str, threads: list[int]) -> None:
    assert _threads(text) == threads


@pytest.mark.parametrize(
    "text",
    [
        # 4, 3, 2, 1
        "template <int N, std::enable_if_t<N == 0, int> = 0> void go() {}\n"
        "template <int N, std::enable_if_t<(N > 0), int> = 0> void go() { k<<<1, N>>>(); go<N - 1>(); }\n"
        "void f() { go<4>(); }",
        # 8, 4, 2, 1
        "template <int N> void b();\ntemplate <int N> void a() { k<<<1, N>>>(); if constexpr (N > 1) b<N / 2>(); }\n"
        "template <int N> void b() { k<<<1, N>>>(); if constexpr (N > 1) a<N / 2>(); }\nvoid f() { a<8>(); }",
        # 4, 16
        "template <class T> void go(T) { k<<<1, sizeof(T)>>>(); }\nvoid f() { go(1); go(far()); }",
    ],
)
def test_those_that_are_not_all_known_leave_sizes_open(text: str) -> None:
    assert None in _threads(text)


@pytest.mark.parametrize(
    ("given", "bytes_of_type"),
    [("'a'", 1), ("true", 1), ("'a' + 'b'", 4), ("c", 1), ("n * 2", 4), ("~1u", 4), ("n == 3", 1), ("1.0", 8)],
)
def test_types_of_literals_and_of_what_is_computed_from_them(given: str, bytes_of_type: int) -> None:
    text = (
        "template <class T> void go(T) { k<<<1, sizeof(T)>>>(); }\n"
        f"constexpr int n = 3; constexpr char c = 'c';\nvoid f() {{ go({given}); }}"
    )
    assert _threads(text) == [bytes_of_type]
