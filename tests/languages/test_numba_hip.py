"""Kernels of numba-hip in Python files: blocks and their limits, and shared arrays as LLVM lays them out."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View

_HEAD = "from numba import hip, float32\nimport numpy as np\n\n"
_TYPES = {
    "np.uint8": ("i8", 1), "np.int16": ("i16", 2), "np.float32": ("float", 4), "np.float64": ("double", 8),
    "np.complex64": ("{float, float}", 4),
}  # fmt: skip
_ARRAYS = (1, 1, 1, 2, 2, 3, 3, 4, 5, 6)  # of a kernel


def views_of(source: str) -> tuple[View, ...]:
    project = Project(None, None, {"devices": ["mi250x", "h100"]})
    return open_file(Path("k.py"), "python", Text(source.encode()), project).views()


def reports_of(source: str) -> dict[str, KernelReport]:
    return {it.kernel.name: it for view in views_of(_HEAD + source) for it in view.reports}


def test_the_block_and_its_limits() -> None:
    source = """
@hip.jit
def k(x):
    x[hip.grid(1)] = 1.0

def run(x):
    k[10, 256](x)
    k[10, (16, 128)](x)
"""
    (view,) = (it for it in views_of(_HEAD + source) if it.reports)
    (report,) = view.reports
    assert view.source.dialect.name == "numba-hip" and report.arch.id == "gfx90a"
    assert report.size.sizes == (256, 2048)
    assert (report.registers.lowest, report.registers.highest) == (None, 128)  # as for groups of 1024 threads
    (finding,) = diagnostics(view)
    assert (finding.code, finding.start) == ("OCC001", view.text.content.index(b"10, (16, 128)"))


@pytest.mark.parametrize(
    ("imports", "jit", "language"),
    [
        ("from numba import hip", "hip.jit", "numba-hip"),
        ("from numba import hip as gpu", "gpu.jit", "numba-hip"),
        ("from numba.hip import jit", "jit", "numba-hip"),
        ("from numba import cuda", "cuda.jit", "numba"),
        ("from numba import hip\nhip.pose_as_cuda()\nfrom numba import cuda", "cuda.jit", "numba-hip"),
        ("from numba import hip\nhip.pose_as_cuda()\nfrom numba import cuda", "hip.jit", "numba-hip"),
        ("from numba import hip\nfrom numba import cuda", "cuda.jit", "numba"),
        ("'''No hip.pose_as_cuda().'''\nfrom numba import cuda  # pose_as_cuda", "cuda.jit", "numba"),
        ("from numba.hip import pose_as_cuda as pose\npose()\nfrom numba import cuda", "cuda.jit", "numba-hip"),
        ("from numba import hip\nfrom numba import cuda", "hip.jit", "numba-hip"),
    ],
)
def test_whose_kernel_it_is(imports: str, jit: str, language: str) -> None:
    source = f"{imports}\n\n@{jit}\ndef k(x):\n    pass\n\nk[1, 64](None)\n"
    found = [view.source.dialect.name for view in views_of(source) if view.reports]
    assert found == [language]


def test_shared_arrays_are_as_llvm_lays_them_out(tmp_path: Path) -> None:
    """Numba's code for them (`_generic_array`), compiled by clang: a variable for each, aligned as its type is."""
    chosen = random.Random(7)
    kernels = [
        [(chosen.choice([*_TYPES]), chosen.randint(1, 40)) for _ in range(n)] for n in (1, 1, 1, 2, 2, 3, 3, 4, 5, 6)
    ]
    ir = ['target triple = "amdgcn-amd-amdhsa"']
    python = []
    for number, arrays in enumerate(kernels):
        ir += [
            f"@s{number}_{i} = addrspace(3) global [{count} x {_TYPES[kind][0]}] undef, align {_TYPES[kind][1]}"
            for i, (kind, count) in enumerate(arrays)
        ]
        ir.append(f'define protected amdgpu_kernel void @k{number}(i32 %at) "amdgpu-flat-work-group-size"="1,1024" {{')
        python.append(f"@hip.jit\ndef k{number}(x):\n    i = hip.threadIdx.x")
        for i, (kind, count) in enumerate(arrays):
            ir.append(f"  %p{i} = getelementptr i8, ptr addrspace(3) @s{number}_{i}, i32 %at")
            ir.append(f"  store volatile i8 1, ptr addrspace(3) %p{i}")
            python.append(f"    s{i} = hip.shared.array({count}, dtype={kind})\n    s{i}[i] = 1")
            python.append(f"    hip.syncthreads()\n    x[i] = s{i}[0]")
        ir.append("  ret void\n}")
        python.append(f"k{number}[1, 64](None)\n")
    (tmp_path / "k.ll").write_text("\n".join(ir))
    clang = [sys.executable, "-m", "ziglang", "clang", "--target=amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib", "-O3"]
    subprocess.run([*clang, "-S", "-x", "ir", "k.ll", "-o", "k.s"], cwd=tmp_path, check=True, capture_output=True)
    said = (tmp_path / "k.s").read_text()
    taken = dict(re.findall(r"\.amdhsa_kernel (k\d+)\n\s*\.amdhsa_group_segment_fixed_size (\d+)", said))
    reports = reports_of("\n".join(python))
    assert len(taken) == len(reports) == len(kernels)
    for name, report in reports.items():
        local = report.kernel.summary.local
        assert local.highest is not None and local.lowest <= int(taken[name]) <= local.highest
        if len(local.variables) == 1:
            assert local.exact == int(taken[name])


@pytest.mark.parametrize(
    ("line", "lowest", "highest"),
    [
        (
            "s = hip.shared.array((4, 8), float32)\n    s[i, 0] = x[i]\n    hip.syncthreads()\n    x[i] = s[0, i]",
            128,
            128,
        ),
        ("s = hip.shared.array(4, float32)\n    s[0] = 1.0", 0, 16),  # only written: it may go
        ("s = hip.shared.array(n, float32)\n    x[0] = s[0]", 0, None),
        ("s = hip.shared.array(0, float32)\n    x[0] = s[0]", 0, None),
    ],
)
def test_what_a_kernel_takes(line: str, lowest: int, highest: int | None) -> None:
    local = reports_of(f"@hip.jit\ndef k(x, n):\n    i = hip.grid(1)\n    {line}\n")["k"].kernel.summary.local
    assert (local.lowest, local.highest) == (lowest, highest)


def test_what_is_out_of_sight_is_said() -> None:
    source = "@hip.jit\ndef k(x):\n    x[0] = hip.syncthreads_count(x[0])\n"
    assert reports_of(source)["k"].kernel.summary.local.unseen == ("syncthreads_count",)
    report = reports_of("@hip.jit\ndef k(x):\n    x[0] = 1.0\n\nk[1, 256](None)\n")["k"]
    assert report.local.exact is None  # LLVM may move threads' own arrays there
