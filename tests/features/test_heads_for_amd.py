"""Heads that say a thing twice, or have `amdgpu_num_vgpr`: clang heeds the first of a kind, and gives so many VGPRs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.compilers import clang, for_hip
from tests.support import live

VGPRS = "__attribute__((amdgpu_num_vgpr({})))"
FLAT = "__attribute__((amdgpu_flat_work_group_size(1, {})))"


@pytest.mark.parametrize("arch", ["gfx908", "gfx90a", "gfx1100"])
@pytest.mark.parametrize(
    "head",
    [
        VGPRS.format(48),
        f"__launch_bounds__(256) {VGPRS.format(40)}",
        f"__launch_bounds__(1024) {VGPRS.format(250)}",  # more than the bounds leave
        f"{VGPRS.format(56)} {VGPRS.format(24)}",
        "__launch_bounds__(1024) __launch_bounds__(64)",
        f"{FLAT.format(1024)} {FLAT.format(64)}",
    ],
)
def test_a_kernel_that_wants_more_gets_what_its_head_allows(arch: str, head: str, tmp_path: Path) -> None:
    text = live(190, f"__global__ void {head} k(const float* in, float* out, int i, int s, int n)", "__builtin_fmaf")
    source = f"#include <hip/hip_runtime.h>\n{text}"
    (tmp_path / "k.hip").write_text(source)
    options = ("--cuda-device-only", f"--offload-arch={arch}", "-O3", "-S", "-o", "k.s")
    command = (*clang().start, "-x", "hip", *for_hip(), *options, "-Rpass-analysis=kernel-resource-usage", "k.hip")
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stderr
    view = OpenFile(None, "hip", Text(source.encode()), Project(None, None, {"devices": [arch]})).view()
    assert view is not None
    assert re.search(r" VGPRs Spill: [1-9]| VGPRs: ([2-9]\d\d)", said), said
    assert view.reports[0].registers.highest == int(re.findall(r" VGPRs: (\d+)", said)[0])


CALLING = "__device__ __attribute__((noinline)) float deep(float v) { return v * 2; }\n"


@pytest.mark.parametrize("arch", ["gfx1030", "gfx1100"])
@pytest.mark.parametrize(
    ("before", "body", "capped"),
    [
        ("", "p[0] = 1;", True),
        (CALLING, "p[0] = deep(p[0]);", False),  # what is called is not held to it
        ("", "p[0] = elsewhere(p[0]);", False),
        ("", "__shared__ float s[64]; s[threadIdx.x] = p[0]; __syncthreads(); p[0] = s[1];", False),
        ("", "extern __shared__ float s[]; s[threadIdx.x] = p[0]; __syncthreads(); p[0] = s[1];", False),
    ],
)
def test_what_may_take_more_than_its_head_asks_for(arch: str, before: str, body: str, capped: bool) -> None:
    source = f"{before}__global__ void {VGPRS.format(24)} k(float* p) {{ {body} }}"
    view = OpenFile(None, "hip", Text(source.encode()), Project(None, None, {"devices": [arch]})).view()
    assert view is not None
    assert (view.reports[0].registers.highest == 24) == capped


def test_other_vendors_compilers_pass_over_amd_s_attributes() -> None:
    launch = "void h(float* p, int n) { k<<<1, n>>>(p); }"
    source = f"__global__ void {FLAT.format(128)} k(float* p) {{ p[0] = 1; }}\n{launch}\n"
    view = OpenFile(None, "hip", Text(source.encode()), Project(None, None, {"devices": ["h100"]})).view()
    assert view is not None and view.reports[0].size.sizes == ()
