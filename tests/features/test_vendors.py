"""HIP and OpenCL kernels on other vendors' devices: their words, their figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints, tooltip
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

_HIP = """#include <hip/hip_runtime.h>
__global__ void __launch_bounds__(256, 2) stage(const float* in, float* out) {
    __shared__ float tile[12288];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[0] = tile[1];
}
// occupancy: regs=128
__global__ void gemm(float* c) { c[0] = 1; }
__global__ void plain(float* c) { c[0] = 1; }
void h(float* c) {
    hipLaunchKernelGGL(stage, dim3(4), dim3(256), 0, 0, c, c);
    hipLaunchKernelGGL(gemm, dim3(16), dim3(256), 0, 0, c);
    plain<<<4, 256>>>(c);
}
"""
_OPENCL = """
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) __attribute__((intel_reqd_sub_group_size(16)))
void tile(__global const float* in, __global float* out) {
    __local float t[16][17];
    t[get_local_id(1)][get_local_id(0)] = in[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[0] = t[0][1];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void big(__global float* out) {
    __local float t[8192];
    t[get_local_id(0)] = out[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[1] = t[0];
}
"""


def opened(name: str, source: str, device: str | None = None) -> View:
    project = Project(None, None, {"devices": [device]} if device else None)
    view = OpenFile(Path(f"/nowhere/{name}"), "", Text(source.encode()), project).view()
    assert view is not None
    return view


def labels(view: View) -> list[str]:
    return [hint.label for hint in hints(view, 0, 1 << 30)]


@pytest.mark.parametrize(
    ("device", "expected"),
    [
        # 48 KiB of 64 KiB LDS; 128 of 512 registers; 1024 threads assumed: at most 128 registers.
        ("mi300x", ["12.5% · 1 WG/CU · LDS", "50% · 4 WG/CU · regs", "≥50% · regs ≤128"]),
        # A WGP has 128 KiB of LDS, four SIMDs of 16 waves of 32 and 1536 registers for each lane.
        ("rx-7900-xtx", ["25% · 2 WG/WGP · LDS", "62.5% · 5 WG/WGP · regs", "≥50% · regs ≤192"]),
    ],
)
def test_hip_on_amd(device: str, expected: list[str]) -> None:
    assert labels(opened("k.hip", _HIP, device)) == expected


def test_hip_without_a_choice_runs_on_amd_first() -> None:
    assert opened("k.hip", _HIP).status == opened("k.cu", _HIP).status
    status = opened("k.hip", _HIP).status
    assert status is not None and status.device == "mi300x"


def test_a_choice_that_cannot_run_the_language_leaves_the_built_in_one() -> None:
    status = opened("k.cu", "__global__ void k() {}", "mi300x").status
    assert status is not None and (status.device, status.origin) == ("h100", "default")


def test_the_words_are_the_vendors() -> None:
    view = opened("k.hip", _HIP, "mi300x")
    text = markdown(tooltip(view, "kernel:0") or ())
    assert "(1 work-group/CU, 4 of 32 waves)" in text and "limited by LDS" in text
    (finding,) = [it for it in diagnostics(view) if it.code == "OCC201"]
    assert finding.message.startswith("LDS limits residency to 1 work-group, 12.5%")


def test_hips_second_bound_is_not_read_as_blocks() -> None:
    """It counts waves per SIMD: (1024, 4) means what (1024) does, and is no fault."""
    source = "#include <hip/hip_runtime.h>\n__global__ void __launch_bounds__(1024, 4) k(float* p) { p[0] = 1; }\n"
    assert diagnostics(opened("k.hip", source, "mi300x")) == []


def test_opencl_on_intel() -> None:
    view = opened("k.cl", _OPENCL, "arc-b580")
    assert labels(view) == ["100% · 4 WG/Xe-core", "15.62–31.25% · SIMD?"]
    text = markdown(tooltip(view, "kernel:1") or ())
    assert "work-groups/Xe-core" in text and "SLM" in text


def test_opencl_on_adreno() -> None:
    view = opened("k.cl", _OPENCL, "adreno-730")
    assert labels(view)[1] == "12.5% · 1 WG/SP core · local"


@pytest.mark.parametrize(
    ("size", "hint"),
    [
        ("2048, 1, 1", "no launch: 2048>1024 in x"),
        ("1, 2048, 1", "no launch: 2048>1024 in y"),
        ("1024, 2, 1", "2048 thr · 100% if ≤48 regs"),
    ],
)
def test_adreno_limits_each_dimension_of_a_work_group(size: str, hint: str) -> None:
    """Mesa's Turnip allows 2,048 work-items (maxComputeWorkGroupInvocations), 1,024 of them in each dimension
    (maxComputeWorkGroupSize)."""
    kernel = f"__kernel __attribute__((reqd_work_group_size({size}))) void k(__global int* p) {{ p[0] = 1; }}\n"
    view = opened("k.cl", kernel, "adreno-730")
    assert labels(view) == [hint]
    errors = [it.code for it in diagnostics(view) if it.severity == "error"]
    assert errors == (["OCC001"] if hint.startswith("no launch") else [])


def test_opencl_on_nvidia_knows_no_cluster_faults() -> None:
    assert [it.code for it in diagnostics(opened("k.cl", _OPENCL, "sm_80")) if it.severity == "error"] == []


@pytest.mark.parametrize(
    "device", ["mali-g52", "m1", "mi300x", "adreno-730", "arc-b580", "gen9", "generic-mali-g52", "h100"]
)
def test_every_vendor_answers(device: str) -> None:
    view = opened("k.cl", _OPENCL, device)
    assert len(labels(view)) == 2
    for index in range(2):
        assert tooltip(view, f"kernel:{index}")
    diagnostics(view)
