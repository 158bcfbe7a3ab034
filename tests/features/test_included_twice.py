"""A file with a kernel that another includes several times, with other macros: each time it is another kernel.

Truth: nvcc 13.0 for sm_90 has `k_small` (.maxntid 128, 1,024 bytes) and `k_large` (.maxntid 1024, 40,960 bytes), and
clang for gfx942 `fill_small` (1,024 bytes) and `fill_large` (16,384 bytes).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.hints import hints
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.plain import plain
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

pytestmark = pytest.mark.usefixtures("caches")
_BODY = """\
__global__ void __launch_bounds__(BLOCK) NAME(float *x, int j)
{
  __shared__ float t[SIZE];
  t[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = t[threadIdx.x ^ j];
}
"""
_INCLUDED = """\
#define NAME {0}
#define SIZE {1}
#define BLOCK {2}
#include "body.inl"
#undef NAME
#undef SIZE
#undef BLOCK
"""
_ALL = _INCLUDED.format("k_small", 256, 128) + _INCLUDED.format("k_large", 10240, 1024)
_LAUNCHES = "void run(float *x) { k_small<<<1, 128>>>(x, 1); k_large<<<1, 1024>>>(x, 1); }\n"


def _seen(root: Path, files: dict[str, str], name: str, language: str = "cuda", device: str = "h100") -> View:
    for path, text in files.items():
        (root / path).write_text(text)
    made = Project(root, None, {"devices": [device]})
    made.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(root / name, language, Text((root / name).read_bytes()), made).view()
    assert view is not None
    return view


def _told(view: View) -> list[tuple[str, int | None, tuple[int, int | None]]]:
    found = []
    for it in view.facts.kernels:
        bound = it.bounds.max_threads.value.number if it.bounds is not None else None
        found.append((it.name, bound, (it.local.lowest, it.local.highest)))
    return found


def test_each_inclusion_is_a_kernel_of_its_own(tmp_path: Path) -> None:
    view = _seen(tmp_path, {"all.cu": _ALL + _LAUNCHES, "body.inl": _BODY}, "body.inl")
    assert _told(view) == [("k_small", 128, (1024, 1024)), ("k_large", 1024, (40960, 40960))]
    assert [it.far[0].launch.size.number for it in view.reports] == [128, 1024]


def test_hints_and_hovers_name_each(tmp_path: Path) -> None:
    view = _seen(tmp_path, {"all.cu": _ALL + _LAUNCHES, "body.inl": _BODY}, "body.inl")
    labels = [it.label for it in hints(view, 0, len(_BODY))]
    assert [it.partition(":")[0] for it in labels] == ["k_small", "k_large"]
    shown = hover(view, _BODY.index("NAME"))
    assert shown is not None
    text = plain(shown.prose)
    assert "k_small:" in text
    assert "k_large:" in text


def test_of_one_name_in_two_namespaces_nothing_is_sure_that_differs(tmp_path: Path) -> None:
    body = _BODY.replace("NAME", "kk")
    parts = (f"namespace {it[0]} {{\n{_INCLUDED.format(*it)}}}\n" for it in (("a", 256, 128), ("b", 10240, 1024)))
    view = _seen(tmp_path, {"all.cu": "".join(parts), "body.inl": body}, "body.inl")
    assert _told(view) == [("kk", None, (1024, 40960))]


def test_a_name_of_opencl_that_is_a_macro(tmp_path: Path) -> None:
    body = """\
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void fill_name(__global float *x)
{
  __local float t[64 * N_ROUNDS];
  t[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = t[63 - get_local_id(0)];
}
"""
    part = '#define fill_name {0}\n#define N_ROUNDS {1}\n#include "body.cl"\n#undef fill_name\n#undef N_ROUNDS\n'
    both = part.format("fill_small", 4) + part.format("fill_large", 64)
    view = _seen(tmp_path, {"all.cl": both, "body.cl": body}, "body.cl", "opencl", "mi300x")
    assert _told(view) == [("fill_small", None, (1024, 1024)), ("fill_large", None, (16384, 16384))]
