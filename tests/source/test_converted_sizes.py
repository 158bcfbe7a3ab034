"""Blocks given as objects that convert to a `dim3`: what they come to behind the first dimension is not 1 for sure."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.source import Source
from occupancy_lsp.source.text.dialects import CUDA

_NAMES = """__global__ void k() {}
struct Conv { int n; operator dim3() const { return dim3(n, 7); } };
template <class T> T make(int n) { return T(n, 3); }
auto deduced(int n) { dim3 d(n); d.y = 2; return d; }
dim3 far(int n);
int size(int n) { return n * 2; }
"""


def _known(body: str) -> list[int | None]:
    text = f"{_NAMES}void f(int n, Conv c) {{ {body} }}"
    (launch,) = Source(text.encode(), CUDA).facts({}).launches
    return [it.number for it in launch.block[1]]


@pytest.mark.parametrize(
    "body",
    [
        "k<<<1, c>>>();",
        "k<<<1, Conv{n}>>>();",
        "k<<<1, make<dim3>(n)>>>();",
        "k<<<1, deduced(n)>>>();",
        "auto d = deduced(n); k<<<1, d>>>();",
        "k<<<1, far(n)>>>();",
    ],
)
def test_dimensions_of_an_object_are_not_known(body: str) -> None:
    assert _known(body) == [None, None, None]


@pytest.mark.parametrize("body", ["k<<<1, n>>>();", "k<<<1, dim3(n)>>>();", "auto m = n + 1; k<<<1, m>>>();"])
def test_a_number_has_one_dimension(body: str) -> None:
    assert _known(body) == [None, 1, 1]


def test_a_function_that_returns_a_number() -> None:
    assert _known("k<<<1, size(n)>>>();") == [None, 1, 1]
