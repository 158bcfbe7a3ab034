"""Where nothing opts a kernel in to more, no launch of it may have more dynamic shared memory than by default.

CUDA C++ Programming Guide, "Shared Memory" of each compute capability: kernels relying on more than 48 KB per block
must use dynamic shared memory and opt in by `cudaFuncSetAttribute`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.text import Text
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.support import text_of, view_of

KERNEL = "template <class T> __global__ void k(T* p) { extern __shared__ float s[]; p[0] = s[threadIdx.x]; }\n"
LAUNCH = "void go(float* p, int n) { k<<<1, 256, n>>>(p); }\n"
OPTS_IN = "cudaFuncSetAttribute(k<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, n);"


def opened(folder: Path, text: str, **others: str) -> OpenFile:
    for name, other in {"a.cu": text, **{it.replace("_", "."): text for it, text in others.items()}}.items():
        (folder / name).write_text(other)
    project = Project(folder, None, {"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    return OpenFile(folder / "a.cu", "cuda", Text(text.encode()), project)


def report_in(document: OpenFile) -> KernelReport:
    view = document.view()
    assert view is not None
    return view.reports[0]


def report_of(folder: Path, text: str, **others: str) -> KernelReport:
    return report_in(opened(folder, text, **others))


def test_bytes_known_at_run_time_alone(tmp_path: Path) -> None:
    found = report_of(tmp_path, KERNEL + LAUNCH)
    assert found.local.dynamic == (0, 49152)
    assert found.local.dynamic_reason.endswith(", at most 49152 B: nothing in sight opts in to more")
    assert text_of(found) == "256 thr · ≥50% if ≤64 regs"


def test_static_memory_counts_among_them(tmp_path: Path) -> None:
    static = KERNEL.replace(
        "p[0] =", "__shared__ int t[1024]; t[threadIdx.x] = p[1]; __syncthreads(); p[0] = t[p[2]] +"
    )
    assert report_of(tmp_path, static + LAUNCH).local.dynamic == (0, 49152 - 4096)


@pytest.mark.parametrize(
    "more",
    [
        f"void set(int n) {{ {OPTS_IN} }}",
        "template <class K> void set(K f, int n) { cudaFuncSetAttribute(f, ATTRIBUTE, n); }",
        "void set(CUfunction f, int n) { cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, n); }",
        "void set(int n) { elsewhere(k<float>, n); }",
        "auto it = &k<float>;",
    ],
)
def test_what_may_opt_in(tmp_path: Path, more: str) -> None:
    assert report_of(tmp_path, f"{KERNEL}{LAUNCH}{more}\n").local.dynamic == (0, 232448)


@pytest.mark.parametrize(
    "other",
    [
        f'#include "a.cu"\nvoid set(int n) {{ {OPTS_IN} }}\n',
        f"template <class T> __global__ void k(T* p);\nvoid set(int n) {{ {OPTS_IN} }}\n",
        '#include "a.cu"\nvoid more(float* p, int n) { k<<<1, 64, n>>>(p); }\n',
    ],
)
def test_other_files_may(tmp_path: Path, other: str) -> None:
    assert report_of(tmp_path, KERNEL + LAUNCH, b_cu=other).local.dynamic == (0, 232448)


@pytest.mark.parametrize(
    "off", ["// {0}", "#if 0\nvoid set(int n) {{ {0} }}\n#endif", "void set(int n) {{\n#if 0\n{0}\n#endif\n}}"]
)
def test_what_no_compiler_sees_does_not(tmp_path: Path, off: str) -> None:
    said = off.format(OPTS_IN) + "\n"
    assert report_of(tmp_path, f"{KERNEL}{LAUNCH}{said}").local.dynamic == (0, 49152)
    (tmp_path / "other").mkdir()
    declared = "template <class T> __global__ void k(T* p);\n"
    assert report_of(tmp_path / "other", KERNEL + LAUNCH, b_cu=declared + said).local.dynamic == (0, 49152)
    (tmp_path / "third").mkdir()
    said = off.replace("#if 0", "#ifdef LARGE").format(OPTS_IN) + "\n"
    if "#" in off:
        found = report_of(tmp_path / "third", KERNEL + LAUNCH, b_cu=declared + said)
        assert found.local.dynamic == (0, 232448)  # a build may define it


def test_another_file_hands_it_to_what_opts_in(tmp_path: Path) -> None:
    """A helper of a header, or one that stands in a third file."""
    helper = "template <class K> void allow(K f, int n) { cudaFuncSetAttribute(f, ATTRIBUTE, n); }\n"
    declared = "template <class T> __global__ void k(T* p);\n"
    hands = f'#include "b.cuh"\n{declared}void set(int n) {{ allow(k<float>, n); }}\n'
    assert report_of(tmp_path, KERNEL + LAUNCH, b_cuh=helper, c_cu=hands).local.dynamic == (0, 232448)
    apart = {"b_cuh": "void allow(const void* f, int n);\n", "c_cu": hands.replace("k<", "(void*)k<")}
    third = "void allow(const void* f, int n) { cudaFuncSetAttribute(f, ATTRIBUTE, n); }\n"
    assert report_of(tmp_path, KERNEL + LAUNCH, **apart, d_cu=third).local.dynamic == (0, 232448)
    other = hands.replace("k<float>", "j<float>")
    assert report_of(tmp_path, KERNEL + LAUNCH, b_cuh=helper, c_cu=other, d_cu="").local.dynamic == (0, 49152)


def test_files_that_are_about_others_do_not(tmp_path: Path) -> None:
    other = f"void set(int n) {{ {OPTS_IN.replace('k<float>', 'other')} }}\n"
    assert report_of(tmp_path, KERNEL + LAUNCH, b_cu=other).local.dynamic == (0, 49152)


def test_a_file_of_which_no_folder_is_known() -> None:
    assert view_of(KERNEL + LAUNCH).reports[0].local.dynamic == (0, 232448)


def test_what_is_known_stays_so(tmp_path: Path) -> None:
    assert report_of(tmp_path, KERNEL + LAUNCH.replace("n>>>", "65536>>>")).local.dynamic == (65536, 65536)


def test_an_edit_that_opts_in_is_heeded(tmp_path: Path) -> None:
    document = opened(tmp_path, KERNEL + LAUNCH)
    assert report_in(document).local.dynamic == (0, 49152)
    end = len(document.text.content)
    document.edit(end, end, f"void set(int n) {{ {OPTS_IN} }}\n".encode())
    assert report_in(document).local.dynamic == (0, 232448)
    document.edit(end, len(document.text.content), b"")
    assert report_in(document).local.dynamic == (0, 49152)
