"""Heads that say a thing twice, or have `amdgpu_num_vgpr`: clang heeds the first of a kind, and gives so many VGPRs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.compilers import clang, for_hip
from tests.support import live, text_of

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
        "__attribute__((launch_bounds(256, 8)))",  # which clang accepts, and HIP's macro does not stand for
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


@pytest.mark.parametrize(
    ("head", "most"),
    [
        (FLAT.format(128), 128),
        (f"{FLAT.format(128)} __launch_bounds__(512)", 128),
        (f"__launch_bounds__(64) {FLAT.format(512)}", 64),
        (FLAT.format(2048), 256),
    ],
)
def test_no_larger_group_is_launched_than_the_first_of_its_attributes_allows(head: str, most: int) -> None:
    """HIP's runtime compares with the code object's `.max_flat_workgroup_size`, which is that attribute's number."""
    source = f"__global__ void {head} k(float* p) {{ p[0] = 1; }}\nvoid h(float* p) {{ k<<<1, 256>>>(p); }}\n"
    view = OpenFile(None, "hip", Text(source.encode()), Project(None, None, {"devices": ["mi300x"]})).view()
    assert view is not None
    fails = most < 256
    assert text_of(view.reports[0]) == (f"no launch: 256>{most} threads" if fails else "256 thr · 100% if ≤64 regs")
    found = [(it.message, [at.message for at in it.related]) for it in diagnostics(view) if it.code == "OCC005"]
    what = "__launch_bounds__" if head.startswith("__launch") else "the attribute"
    said = f"256 threads; the kernel's launch bounds allow {most}: the launch fails", [f"{what} allows {most} threads"]
    assert found == [said] * fails
    raised = [it.title for it in actions(view, source.index("256>>>"), source.index(">>>")) if "Raise" in it.title]
    assert len(raised) == head.startswith("__launch")


def test_other_vendors_compilers_pass_over_amd_s_attributes() -> None:
    launch = "void h(float* p, int n) { k<<<1, n>>>(p); }"
    source = f"__global__ void {FLAT.format(128)} k(float* p) {{ p[0] = 1; }}\n{launch}\n"
    view = OpenFile(None, "hip", Text(source.encode()), Project(None, None, {"devices": ["h100"]})).view()
    assert view is not None and view.reports[0].size.sizes == ()
