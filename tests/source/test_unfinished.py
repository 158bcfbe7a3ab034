"""Kernels keep their figures while a brace too many stands in them, or an #if above them that nothing closes."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.incremental.item_reader import read_item
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.lex.item_list import Item
from occupancy_lsp.source.lex.unclosed_brackets import with_balanced_functions

_TEXT = b"""
__device__ float sum(float *p) {
  __shared__ float part[64];
  part[threadIdx.x] = *p;
  __syncthreads();
  return part[0];
}

__global__ void __launch_bounds__(128) k(float *p, int n)
{
  __shared__ float a[32];
  for (int i = 0; i < n; ++i) {
    a[i] = p[i];
    if (i > 4) {
      p[i] = sum(p + i);
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < n; ++i) {
    p[i] = a[i];
  }
}

__global__ void other(float *p) { __shared__ float b[8]; b[threadIdx.x] = *p; *p = b[1]; }
"""
_PLACES = [at for at in range(len(_TEXT)) if _TEXT[at - 1 : at + 1] == b";\n" and at > _TEXT.index(b"void __launch")]


def _shown(text: bytes) -> list[tuple[object, ...]]:
    kernels = Source(text, CUDA).facts({}).kernels
    return [
        (
            it.name,
            it.summary.local.lowest,
            it.summary.local.highest,
            it.summary.barriers,
            it.attributes.bounds is not None,
        )
        for it in kernels
    ]


def test_a_kernel_keeps_its_figures_with_a_brace_too_many() -> None:
    sure = _shown(_TEXT)
    assert [(name, lowest) for name, lowest, *_ in sure] == [("k", 384), ("other", 32)]
    assert len(_PLACES) == 5
    for at in _PLACES:
        assert _shown(_TEXT[:at] + b"}" + _TEXT[at:]) == sure
        assert _shown(_TEXT[:at] + b"\n  }" + _TEXT[at:]) == sure


def test_a_kernel_keeps_its_figures_while_a_brace_is_not_closed() -> None:
    sure = _shown(_TEXT)
    for at in _PLACES:
        for typed in (b"{", b"\n  {", b"\n  if (n > 8) {", b"\n  do {"):
            assert _shown(_TEXT[:at] + typed + _TEXT[at:]) == sure


@pytest.mark.parametrize("typed", [b"#if A", b"#ifdef A", b"#if A\n#else", b"#if A\n#elif B\n#if 1\n#endif"])
def test_an_if_that_nothing_closes_says_nothing_of_what_follows(typed: bytes) -> None:
    """Nor of what stands before it; once it is closed, all in between hangs on it."""
    for before in (b"\n__device__", b"\n__global__ void __launch", b"\n__global__ void other"):
        at = _TEXT.index(before)
        text = _TEXT[:at] + b"\n" + typed + _TEXT[at:]
        assert _conditional(Source(text, CUDA)) == []
        source = Source(_TEXT, CUDA)
        assert _conditional(source) == []
        source.replace(text, at, at, at + len(typed) + 1)
        assert _conditional(source) == []
        closed = text + b"#endif\n"
        source.replace(closed, len(text), len(text), len(closed))
        assert (
            _conditional(source)
            == _conditional(Source(closed, CUDA))
            == [name for name, place in (("k", b" k(float"), ("other", b" other(")) if _TEXT.index(place) > at]
        )
        source.replace(text, len(text), len(closed), len(text))
        assert _conditional(source) == []


def test_an_if_in_a_function_says_nothing_of_the_next_one() -> None:
    at = _TEXT.index(b"#pragma")
    assert _conditional(Source(_TEXT[:at] + b"#if A\n" + _TEXT[at:], CUDA)) == []


def test_an_item_says_the_same_with_more_blank_lines_behind_it() -> None:
    """To the grammar a sign of the preprocessor reaches to the end of its line."""
    text = b"__global__ void k(con#st float *x, float *y) { y[threadIdx.x); }"
    for behind in (b"\n", b"\n\n", b"  \n"):
        assert read_item(Item(0, "code", text), CUDA) == read_item(Item(0, "code", text + behind), CUDA)


def _conditional(source: Source) -> list[str]:
    return [it.name for it in source.facts({}).kernels if it.conditional]


def test_braces_that_close_a_function_too_early_are_left_aside() -> None:
    assert with_balanced_functions(b"void f() { for (;;) { a; } } b; }") == b"void f() { for (;;) { a; }   b; }"
    assert with_balanced_functions(b"void f() { } } }") == b"void f() {     }"
    assert with_balanced_functions(b"void f() { { } }") == b"void f() { { } }"


def test_braces_that_nothing_closes_are_closed_at_the_end() -> None:
    assert with_balanced_functions(b"void f() { { a; }\n\n") == b"void f() { { a; }}\n"
    assert with_balanced_functions(b"void f() { { { a; }\n\n") == b"void f() { { { a; }}}"
    assert with_balanced_functions(b"void f() { { { a; }\n") == b"void f() { { { a; }\n"


@pytest.mark.parametrize("brace", [b"{", b"}"])
def test_a_brace_that_is_a_character_closes_and_opens_nothing(brace: bytes) -> None:
    code = b"void f() { if (c == '" + brace + b"') { a; } b; }\n\n"
    assert with_balanced_functions(code) == code
    assert with_balanced_functions(code.replace(b"b;", b"}")) == code.replace(b"b;", b" ")
    assert with_balanced_functions(code.replace(b"b;", b"{")) == code.replace(b"b;", b"{").replace(b"\n\n", b"}\n")
