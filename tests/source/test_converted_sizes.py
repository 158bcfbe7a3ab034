"""Blocks given as objects that convert to a `dim3`: what they come to behind the first dimension is not 1 for sure."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA

_NAMES = """__global__ void k() {}
struct Conv { int n; operator dim3() const { return dim3(n, 7); } };
template <class T> T make(int n) { return T(n, 3); }
auto deduced(int n) { dim3 d(n); d.y = 2; return d; }
dim3 far(int n);
int size(int n) { return n * 2; }
struct S { dim3 block; int n; static dim3 every; dim3 get() const; };
typedef int Num; dim3 all; int count;
#define BLOCK_OF(x) x.block
"""


def _known(body: str) -> list[int | None]:
    text = f"{_NAMES}void f(int n, Conv c) {{ {body} }}"
    (launch,) = Source(text.encode(), CUDA).facts({}).launches
    return [it.number for it in launch.configuration.block[1]]


@pytest.mark.parametrize(
    "body",
    [
        "k<<<1, c>>>();",
        "k<<<1, Conv{n}>>>();",
        "k<<<1, make<dim3>(n)>>>();",
        "k<<<1, deduced(n)>>>();",
        "auto d = deduced(n); k<<<1, d>>>();",
        "k<<<1, far(n)>>>();",
        "S s; k<<<1, s.block>>>();",
        "S s; k<<<1, dim3(s.block)>>>();",
        "S s; k<<<1, BLOCK_OF(s)>>>();",
        "S s; k<<<1, n ? 64 : s.block>>>();",
        "S s; auto b = s.block; k<<<1, b>>>();",
        "S s; dim3 b = s.block; k<<<1, b>>>();",
        "S s; k<<<1, s.get()>>>();",
        "S *p; k<<<1, p->block>>>();",
        "dim3 a[3]; k<<<1, a[2]>>>();",
        "dim3 *q; k<<<1, *q>>>();",
        "k<<<1, S::every>>>();",
        "k<<<1, all>>>();",
        "k<<<1, undeclared()>>>();",
        "k<<<1, object().block>>>();",
        "k<<<1, unknown>>>();",
        "k<<<1, std::get<1>(sizes)>>>();",
        "Unknown u = n; k<<<1, u>>>();",
    ],
)
def test_dimensions_of_an_object_are_not_known(body: str) -> None:
    assert _known(body) == [None, None, None]


@pytest.mark.parametrize(
    "body",
    [
        "k<<<1, n>>>();",
        "k<<<1, dim3(n)>>>();",
        "auto m = n + 1; k<<<1, m>>>();",
        "k<<<1, count>>>();",
        "S s; k<<<1, s.n>>>();",
        "int m = undeclared(); k<<<1, m>>>();",
        "uint32_t m = undeclared(); k<<<1, m>>>();",
        "Num m = undeclared(); k<<<1, m>>>();",
        "k<<<1, (int)undeclared()>>>();",
        "k<<<1, std::min(n, count)>>>();",
        "k<<<1, all.x * all.y>>>();",
    ],
)
def test_a_number_has_one_dimension(body: str) -> None:
    assert _known(body) == [None, 1, 1]


def test_a_function_that_returns_a_number() -> None:
    assert _known("k<<<1, size(n)>>>();") == [None, 1, 1]
