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
        bound = it.attributes.bounds.max_threads.value.number if it.attributes.bounds is not None else None
        found.append((it.name, bound, (it.summary.local.lowest, it.summary.local.highest)))
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


def test_of_one_name_in_two_namespaces_each_is_a_kernel(tmp_path: Path) -> None:
    body = _BODY.replace("NAME", "kk")
    parts = (f"namespace {it[0]} {{\n{_INCLUDED.format(*it)}}}\n" for it in (("a", 256, 128), ("b", 10240, 1024)))
    launches = "void run(float *x) { a::kk<<<1, 96>>>(x, 1); b::kk<<<1, 512>>>(x, 1); }\n"
    view = _seen(tmp_path, {"all.cu": "".join(parts) + launches, "body.inl": body}, "body.inl")
    assert _told(view) == [("kk", 128, (1024, 1024)), ("kk", 1024, (40960, 40960))]
    assert [it.kernel.qualified for it in view.reports] == ["a::kk", "b::kk"]
    assert [[far.launch.size.number for far in it.far] for it in view.reports] == [[96], [512]]
    assert [it.label.partition(": ")[0] for it in hints(view, 0, len(body))] == ["a::kk", "b::kk"]


_PASTED = """\
#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)
__global__ void __launch_bounds__(N) NAMED(k, N)(float *x)
{
  __shared__ float t[N];
  t[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = t[threadIdx.x ^ 1];
}
#undef NAMED
#undef JOINED
#undef N
"""


def test_a_name_that_macros_of_the_file_itself_make(tmp_path: Path) -> None:
    """nvcc 13.0: `k64` (.maxntid 64, 256 bytes), `k96` (.maxntid 96, 384 bytes)."""
    units = "".join(f'#define N {it}\n#include "body.inl"\n' for it in (64, 96))
    launches = "#define RUN k64\n#define K(n) k##n\nint main() { RUN<<<1, 32>>>(0); K(96)<<<1, 64>>>(0); }\n"
    view = _seen(tmp_path, {"all.cu": units + launches, "body.inl": _PASTED}, "body.inl")
    assert _told(view) == [("k64", 64, (256, 256)), ("k96", 96, (384, 384))]
    assert [[far.launch.size.number for far in it.far] for it in view.reports] == [[32], [64]]


def test_what_an_inclusion_leaves_defined_counts_in_the_next(tmp_path: Path) -> None:
    """nvcc 13.0: `first` (256 bytes), `second` (768 bytes)."""
    body = "#ifndef NAME\n#define NAME first\n#endif\n#ifndef N\n#define N 64\n#endif\n"
    body += _BODY.replace("SIZE", "N").replace("BLOCK", "N") + "#undef NAME\n#undef N\n#define NAME second\n"
    both = '#include "body.inl"\n#define N 192\n#include "body.inl"\n'
    view = _seen(tmp_path, {"all.cu": both, "body.inl": body}, "body.inl")
    assert _told(view) == [("first", 64, (256, 256)), ("second", 192, (768, 768))]


def test_a_file_that_includes_itself(tmp_path: Path) -> None:
    """nvcc 13.0: `pass1` (256 bytes), `pass2` (512 bytes)."""
    parts = (
        f'#define PASS {it}\n#define NAME pass{it}\n#include "all.cu"\n#undef PASS\n#undef NAME\n' for it in (1, 2)
    )
    head = "#ifndef PASS\n" + "".join(parts).removesuffix("#undef PASS\n#undef NAME\n")
    text = f"{head}#else\n{_BODY.replace('SIZE', 'PASS * 64').replace('BLOCK', 'PASS * 64')}#endif\n"
    view = _seen(tmp_path, {"all.cu": text}, "all.cu")
    assert sorted(_told(view)) == [("pass1", 64, (256, 256)), ("pass2", 128, (512, 512))]


def test_a_list_of_kernels_in_a_file_of_its_own(tmp_path: Path) -> None:
    """nvcc 13.0: `red` (64 bytes), `blue` (256 bytes); `TOTAL` is 320, as another file says."""
    text = """\
enum { TOTAL = 0
#define ENTRY(name, n) + n
#include "table.def"
#undef ENTRY
};
#define ENTRY(name, n) __global__ void name(char *x) { __shared__ char s[n]; s[threadIdx.x] = x[0]; __syncthreads(); \
  x[threadIdx.x] = s[threadIdx.x ^ 1]; }
#include "table.def"
#undef ENTRY
int main() { red<<<1, TOTAL>>>(nullptr); }
"""
    table = "ENTRY(red, 64)\nENTRY(blue, 256)\n"
    view = _seen(tmp_path, {"all.cu": text, "table.def": table}, "table.def")
    assert _told(view) == [("red", None, (64, 64)), ("blue", None, (256, 256))]
    assert view.reports[0].far[0].launch.size.number is None


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
