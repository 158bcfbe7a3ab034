"""What `.occupancy.yaml` says of macros and languages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

_SOURCE = """#include <vendor/kernels.h>
VENDOR_KERNEL VENDOR_BOUNDS(THREADS, 2) scale(float* p) {
  __shared__ float a[TILE * 4];
  a[threadIdx.x] = *p;
  __syncthreads();
  *p = a[1];
}
"""
_STATED = """macros:
  VENDOR_KERNEL: __global__ void
  VENDOR_BOUNDS(most, least): __launch_bounds__(most, least)
  THREADS: 256
  TILE: 64
"""


def _view(root: Path, source: str, name: str = "k.cu", devices: Sequence[str] = ()) -> View:
    path = root / name
    path.write_text(source)
    project = Project(root, None, {"devices": list(devices)} if devices else None)
    project.read_sources(lambda: False, lambda done, total: None)
    assert not project.problems()
    view = OpenFile(path, "", Text(source.encode()), project).view()
    assert view is not None
    return view


def test_macros_that_no_file_in_sight_defines(tmp_path: Path) -> None:
    assert not _view(tmp_path, _SOURCE).facts.kernels
    (tmp_path / ".occupancy.yaml").write_text(_STATED)
    (kernel,) = _view(tmp_path, _SOURCE).facts.kernels
    assert kernel.attributes.bounds is not None and kernel.attributes.bounds.min_groups is not None
    assert (kernel.attributes.bounds.max_threads.value.number, kernel.attributes.bounds.min_groups.value.number) == (
        256,
        2,
    )
    assert kernel.summary.local.exact == 1024


def test_a_definition_in_sight_wins(tmp_path: Path) -> None:
    (tmp_path / ".occupancy.yaml").write_text(_STATED)
    (kernel,) = _view(tmp_path, "#define TILE 8\n" + _SOURCE).facts.kernels
    assert kernel.summary.local.exact == 128


def test_the_language_of_files(tmp_path: Path) -> None:
    source = "__global__ void k(float* p) { *p = 1; }\n"
    assert _view(tmp_path, source, "k.cpp").source.dialect.name == "cuda"
    (tmp_path / ".occupancy.yaml").write_text("languages:\n  '*.cpp': hip\n")
    assert _view(tmp_path, source, "k.cpp").source.dialect.name == "hip"


def test_a_file_is_in_the_language_of_its_unit(tmp_path: Path) -> None:
    kernel = '#include "common.h"\n__global__ void k(float* p) { *p = 1; }\n'
    (tmp_path / "common.h").write_text("#include <hip/hip_runtime.h>\n")
    assert _view(tmp_path, kernel, "k.cu").source.dialect.name == "hip"
    both = "#ifdef __HIP__\n#include <hip/hip_runtime.h>\n#else\n#include <cuda.h>\n#endif\n"
    (tmp_path / "common.h").write_text(both)
    assert _view(tmp_path, kernel, "k.cu").source.dialect.name == "cuda"
    for asking in ("#ifdef USE_ROCM", "#if USE_ROCM", "#if defined(USE_ROCM) && ROCM > 6"):
        (tmp_path / "common.h").write_text(f"{asking}\n#include <hip/hip_runtime.h>\n#endif\n")
        assert _view(tmp_path, kernel, "k.cu").source.dialect.name == "cuda"
    (tmp_path / "common.h").write_text("#ifndef __HIPCC_RTC__\n#include <hip/hip_runtime.h>\n#endif\n")
    assert _view(tmp_path, kernel, "k.cu").source.dialect.name == "hip"
    (tmp_path / "main.cu").write_text('#include <hip/hip_runtime.h>\n#include "part.cu"\n')
    assert _view(tmp_path, "__global__ void k(float* p) { *p = 1; }\n", "part.cu").source.dialect.name == "hip"


@pytest.mark.parametrize(
    ("devices", "read", "threads"),
    [
        ((), ("cuda", "h100"), 128),
        (("h100", "mi300x"), ("cuda", "h100"), 128),
        (("mi300x",), ("hip", "mi300x"), None),
    ],
)
def test_what_builds_for_both_is_cuda_unless_only_devices_of_amd_are_chosen(
    tmp_path: Path, devices: tuple[str, ...], read: tuple[str, str], threads: int | None
) -> None:
    """As mamba's: `USE_ROCM` is what PyTorch's build defines, which is not in sight."""
    (tmp_path / "common.h").write_text(
        "#ifndef USE_ROCM\n#include <cuda_bf16.h>\n#else\n#include <hip/hip_bf16.h>\n#endif\n"
    )
    size = "#ifndef USE_ROCM\n#define N 128\n#else\n#define N 64\n#endif\n"
    kernel = "__global__ void k(float *p) { *p = 1; }\nvoid run(float *p) { k<<<1, N>>>(p); }\n"
    view = _view(tmp_path, f'#include "common.h"\n{size}{kernel}', devices=devices)
    assert view.device is not None and (view.source.dialect.name, view.device.id) == read
    assert view.facts.launches[0].size.number == threads


@pytest.mark.parametrize(
    "condition",
    [
        "ifndef __CUDACC__",
        "ifndef __NVCC__  // hipcc",
        "if !defined(__CUDACC__)",
        "if !(defined(__NVCC__)) && !defined(__CUDACC__)",
    ],
)
def test_what_is_included_without_nvcc_is_not_for_cuda(tmp_path: Path, condition: str) -> None:
    kernel = "__global__ void k(float *p) { *p = 1; }\nvoid run(float *p) { k<<<1, N>>>(p); }\n"
    chosen = f"#{condition}\n#include <hip/hip_runtime.h>\n#define N 64\n#else\n#define N 128\n#endif\n"
    view = _view(tmp_path, chosen + kernel)
    assert (view.source.dialect.name, view.facts.launches[0].size.number) == ("cuda", 128)
    view = _view(tmp_path, chosen + kernel, devices=("mi300x",))
    assert (view.source.dialect.name, view.facts.launches[0].size.number) == ("hip", 64)


@pytest.mark.parametrize(
    "condition", ["ifndef USE_CUDA", "if !defined(FOO)", "if !defined(__CUDACC__) || defined(FOO)"]
)
def test_what_a_build_may_define_does_not_tell_the_language(tmp_path: Path, condition: str) -> None:
    chosen = f"#{condition}\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n"
    view = _view(tmp_path, chosen + "__global__ void k(float *p) { *p = 1; }\n")
    assert view.source.dialect.name == "hip"
