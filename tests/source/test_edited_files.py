"""After any edits a file says, item by item, what a fresh one says."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA, HIP, OPENCL, Dialect
from occupancy_lsp.source.lex.item_list import ItemList

_DATA = Path(__file__).parent.parent / "data" / "nvcc"
_STEP = b"""\
  // step %d
  float a%d = x[i + %d]; // of the row
  const int last%d = N - 1;
  using Row%d = Row<%d>;
  if (a%d > limit && flag) { y[i] = helper<%d>(a%d, shared[i %% 4]); SYNC; }
#pragma unroll
  for (int j%d = 0; j%d < N; ++j%d) {
    acc += a%d * other.part[0].v; total.mean[1] = acc;
    shared[j%d] = WRAPPED(acc) + sizes[j%d];
  }
  each(rows, [&](auto row) { acc += row.sum(a%d) ? first(acc) : std::max<float>(acc, 1.f); });
  if constexpr (FLAG) { total.add(acc); }
"""
_STEPS = [_STEP.replace(b"%%", b"%").replace(b"%d", b"%d" % n) for n in range(6)]
_BODY = b"".join(_STEPS)
_TEXT = (
    b"template <int N, bool FLAG, bool MORE>\n__global__ void k(const float *x, float *y, Sizes sizes, bool flag) {\n"
    b"  __shared__ float shared[N];\n  int i = threadIdx.x;\n  float acc = 0;\n" + _BODY + b"  while (i < N) {\n"
    + _BODY + b"    if (MORE) {\n" + _BODY.replace(b"SYNC;", b"barrier(i);") + b"    }\n" + _BODY + b"  }\n" + _BODY
    + b"  y[0] = acc;\n}\n"
)  # fmt: skip
_CLASS = b"struct S {\n  int n;\n  __device__ int f(int i, float *x) {\n" + _BODY + b"    return i;\n  }\n};\n"
_ENDS = re.compile(rb";(?=\n)")
_TYPED = (
    b"\nint q = 1;", b"q", b"i", b"SYNC;", b"WRAPPED(q)", b"acc", b"x[i]", b"threadIdx.x", b" = i;", b"shared[0] = 1;",
    b"total.mean[2]", b"call(acc, i);", b"f<int>(i);", b"auto z = [&](auto v) { return v; };", b"using T = int;",
    b"struct P { int a; };", b"float z[4];", b"// note\n", b"c ? d : e;", b"if (FLAG) total.add(i);", b"if (N > 2) {",
    b"}", b"(", b")", b"\"", b"/*", b"return;", b"case 1:", b"#if A\n", b"__shared__ int s[4];", b"else", b"\n", b";",
    b"__syncthreads();", b"const", b"template *;", b"\n#pragma unroll 4\n", b"\n#pragma omp\n", b"a && b;",
    b"// occupancy: regs=4\n", b"k<<<1, 2>>>(x);", b"enable_smem_spilling",
)  # fmt: skip


def _long_items() -> Iterator[bytes]:
    yield from (_TEXT, _CLASS)
    for path in sorted(_DATA.rglob("*.cu")):
        for item in ItemList(path.read_bytes(), CUDA.kernel).items:
            if item.kind == "code" and len(item.text) > 2048 and b"__global__" in item.text:
                yield item.text


_ITEMS = [*_long_items()]


def _follow(text: bytes, edits: Sequence[tuple[int, int, bytes]], dialect: Dialect = CUDA) -> None:
    """Make the edits one after the other, and compare what is read."""
    source = Source(text, dialect)
    for at, gone, came in edits:
        at = min(at, len(text))
        gone = min(gone, len(text) - at)
        text = text[:at] + came + text[at + gone :]
        source.replace(text, at, at + gone, at + len(came))
        said = [[it.facts for it in each.placed_items()] for each in (source, Source(text, dialect))]
        assert said[0] == said[1]


@pytest.mark.parametrize("seed", range(2))
def test_real_functions_say_what_they_say_afresh(seed: int) -> None:
    drawn = random.Random(seed)
    for text in drawn.sample(_ITEMS, min(len(_ITEMS), 4)):
        ends = [it.end() for it in _ENDS.finditer(text)] or [0]
        for _ in range(4):
            at, came = drawn.choice(ends), drawn.choice(_TYPED)
            _follow(text, [(at + i, 0, came[i : i + 1]) for i in range(len(came))])


@settings(max_examples=10, deadline=None)  # `make fuzz` draws more edits
@given(st.data())
def test_any_edits_leave_what_a_fresh_text_says(data: st.DataObject) -> None:
    text, dialect = data.draw(st.sampled_from((_TEXT, _CLASS))), data.draw(st.sampled_from((CUDA, HIP, OPENCL)))
    places = st.integers(0, len(text)) | st.sampled_from([it.end() for it in _ENDS.finditer(text)])
    gone = st.sampled_from((0, 0, 0, 1, 2, 40))
    edits = data.draw(st.lists(st.tuples(places, gone, st.sampled_from(_TYPED)), min_size=2, max_size=8))
    _follow(text, edits, dialect)
