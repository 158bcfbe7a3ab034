"""How local memory that is sized at launch is aligned, and static memory rounded up for it: nvcc 13.0, sm_90."""

from __future__ import annotations

import pytest

from occupancy_lsp.core.sequences import shared_bytes
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.lower.item_facts import Include
from occupancy_lsp.source.sema.translation_unit import IncludedFile, UnitContext, context_of_root, has_pragma_once

_INCLUDE = '#include "h"\n'
_POOL = "extern __shared__ __align__(1024) char pool[];\n"
_OF_TYPE = "struct alignas(128) V { float x[32]; };\nextern __shared__ V pool[];\n"
_GET = f"__device__ inline char* get() {{ {_POOL} return pool; }}\n"
_STATIC = "__global__ void k(int* p, int n) { __shared__ int t[5]; t[threadIdx.x] = n; p[0] = t[n]; }\n"
_USES = "__global__ void d(int* p, int n) { p[0] = *(int*)&pool[n]; }\n"
_CALLS = "__global__ void d(int* p, int n) { p[0] = get()[n]; }\n"
_TEMPLATE = f"template <int N> __global__ void d(int* p, int n) {{ {_POOL} p[0] = pool[n]; }}\n"


def _unit(source: Source, header: str) -> UnitContext:
    content = header.encode()

    def resolve(include: Include, path: str) -> IncludedFile | None:
        return IncludedFile("h", Source(content, CUDA).placed_items(), has_pragma_once(content), False)

    return context_of_root("main.cu", source.include_points(), resolve)


def _bytes(source: Source, header: str) -> tuple[int, int | None]:
    kernels = source.facts({"__CUDA_ARCH__": 900}, (_unit(source, header),)).kernels
    local = next(it.summary.local for it in kernels if it.name == "k")
    return local.lowest, local.highest


@pytest.mark.parametrize(
    ("main", "header", "compiled", "exact"),
    [
        (_POOL + _STATIC + _USES, "", 1024, True),
        (_INCLUDE + _STATIC + _USES, _POOL, 1024, True),
        (_INCLUDE + _STATIC + _CALLS, _GET, 1024, False),
        (_OF_TYPE + _STATIC + _USES, "", 128, True),
        (_INCLUDE + _STATIC + _USES, _OF_TYPE, 128, True),
        # What nothing uses has no say.
        (_POOL + _STATIC, "", 20, False),
        (_INCLUDE + _STATIC, _POOL, 20, False),
        (_GET + _STATIC, "", 20, False),
        (_TEMPLATE + _STATIC, "", 20, False),
    ],
)
def test_static_memory_is_rounded_up_for_it(main: str, header: str, compiled: int, exact: bool) -> None:
    lowest, highest = _bytes(Source(main.encode(), CUDA), header)
    assert highest is not None
    assert lowest <= compiled <= highest
    assert (lowest == highest) is exact


def test_an_edit_elsewhere_that_uses_it_counts() -> None:
    source, was = Source(b"", CUDA), b""
    seen = []
    for now in (_INCLUDE + _STATIC, _INCLUDE + _STATIC + _USES, _INCLUDE + _STATIC, _STATIC, _POOL + _STATIC + _USES):
        text = now.encode()
        head, tail = shared_bytes(was, text)
        source.replace(text, head, len(was) - tail, len(text) - tail)
        was = text
        seen.append(_bytes(source, _POOL))
        assert seen[-1] == _bytes(Source(text, CUDA), _POOL)
    assert seen == [(20, 1024), (1024, 1024), (20, 1024), (20, 32), (1024, 1024)]
