"""What a header says in several translation units is what it says in each alone, and is worked out once as far as they
are alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from occupancy_lsp.core.query import Queries
from occupancy_lsp.source.incremental import similar_units
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.incremental.file_in_units import UnitContextState
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.sema.translation_unit import IncludedFile, UnitContext, contexts_of_header

_HEADER = b"""
#ifndef WIDTH
#define WIDTH 64
#endif
template <int N> struct Size { static const int value = N; };
#define LAUNCH(N) template void run<N>(float *);
__device__ float sum(float *p) { __shared__ float part[WIDTH]; part[threadIdx.x] = *p; return part[0]; }
template <int N> __global__ void k(float *p) {
  __shared__ float row[Size<N>::value]; row[threadIdx.x] = helper(p); *p = row[0] + sum(p) + last;
}
template <int N> void run(float *p) { k<N><<<DEPTH, WIDTH>>>(p); }
#ifdef MORE
__global__ void more(Row *p) { __shared__ Row rows[DEPTH]; rows[0] = *p; *p = rows[1]; wait(); }
#endif
inline void all(Row *p) { more<<<1, sizeof(Row)>>>(p); }
"""
_PIECES = (
    "#define WIDTH 32",
    "#define MORE",
    "#undef WIDTH",
    "#define DEPTH 4",
    "constexpr int DEPTH = 8;",
    "namespace other { constexpr int DEPTH = 16; struct Row { double v; }; }",
    "using namespace other;",
    "struct Row { float v[8]; };",
    "typedef int Row;",
    "template <> struct Size<2> { static const int value = 12; };",
    "inline __device__ float helper(float *p) { __shared__ float s[9]; s[0] = *p; return s[1]; }",
    "static __device__ float helper(int i) { return 1; }",
    "#define helper(p) (__syncthreads(), *p)",
    "__shared__ float last;",
    "inline __device__ void wait() { __syncthreads(); }",
    "inline void begin(float *p) { run<2>(p); }",
    "inline void end(float *p) { k<3><<<1, 96>>>(p); }",
    "LAUNCH(4)",
    "LAUNCH(5)",
    "template <> __global__ void k<2>(float *p) {}",
    "extern __shared__ double dynamic[];",
)
_pieces = st.lists(st.sampled_from(_PIECES), max_size=4)
_Root = tuple[list[str], list[str]]


def _text(path: str, content: bytes) -> IncludedFile:
    return IncludedFile(path, Source(content, CUDA).placed_items(), False, False)


def _units(source: Source, roots: Sequence[_Root]) -> tuple[UnitContext, ...]:
    """Of files that include the header between some lines."""
    texts = ("\n".join((*above, '#include "h"', *below, "")).encode() for above, below in roots)
    files = [_text(f"{number}.cu", it) for number, it in enumerate(texts)]
    header = _text("h", _HEADER)
    each = (contexts_of_header("h", source.include_points(), it, lambda _, __: header) for it in files)
    return tuple(unit for units in each for unit in units)


@pytest.fixture(scope="module", autouse=True)
def _exchanged_however_few_answers() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(similar_units, "_FEWEST_ANSWERS", 0)
        yield


@given(st.lists(st.tuples(_pieces, _pieces), min_size=3, max_size=5))
@example([([], ["LAUNCH(4)"]), ([], ["LAUNCH(5)"]), ([], ["LAUNCH(4)"]), ([], ["begin(p);", "LAUNCH(5)"])])
@example([(["#define MORE"], []), (["#define MORE", _PIECES[7]], []), (["#define MORE", _PIECES[8]], [])])
def test_in_each_unit_a_header_says_what_it_says_there_alone(roots: list[_Root]) -> None:
    source = Source(_HEADER, CUDA)
    source.edited = False
    units = _units(source, roots)
    source.facts({}, units)
    together = [it.known.items for it in source._contexts if it.known is not None]
    assert len(together) == len(units)
    assert together == [_alone(source, unit).resolved_items(source._placement) for unit in units]


def test_what_units_have_in_common_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Queries()
    monkeypatch.setattr(similar_units, "Queries", lambda: made)
    source = Source(_HEADER, CUDA)
    source.edited = False
    source.facts({}, _units(source, [(["int a;"], []), (["int b;", "int c;"], []), ([], ["void begin(float *p);"])]))
    assert made.computed["in body"] == 2  # its kernels


def test_where_little_is_worked_out_each_unit_is_told_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similar_units, "_FEWEST_ANSWERS", 2_000)
    exchanged = list[object]()
    monkeypatch.setattr(similar_units, "_exchange_headers", lambda *given: exchanged.append(given))
    source = Source(_HEADER, CUDA)
    source.edited = False
    facts = source.facts({}, _units(source, [([], []), (["int b;"], []), (["#define MORE"], [])]))
    assert not exchanged
    assert {it.name for it in facts.kernels} == {"k", "more"}


def _alone(source: Source, unit: UnitContext) -> UnitContextState:
    found, known = UnitContextState(), source._contexts[0]
    assert known.setting is not None
    found.update(known.setting, unit, source._placement, source._own.names, False)
    return found
