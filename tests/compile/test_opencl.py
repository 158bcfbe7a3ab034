"""OpenCL for AMD's devices by the clang of the wheel."""

from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import copy

import pytest

from occupancy_lsp.compile.assembly import HEADERS
from occupancy_lsp.compile.toolchains import rocm
from occupancy_lsp.counts.formats import amd_remarks
from tests.compilers import HERE, WHEELS, clang

from .conftest import Compile, without_rocm
from .test_hip import counts

OURS = ["-nogpulib", "-nostdinc", "-cl-no-stdinc", "-include", str(HEADERS / "opencl.h"), "-mcode-object-version=5"]


@pytest.fixture
def kernels(workspace: Path) -> Path:
    return Path(copy(Path(__file__).parent / "kernels.cl", workspace))


def plain(source: Path, arch: str, *arguments: str) -> dict[str, tuple[int | None, ...]]:
    options = ["-x", "cl", "--target=amdgcn-amd-amdhsa", f"-mcpu={arch}", "-S", "-o", "/dev/null", *arguments]
    command = [*clang().start, "-Rpass-analysis=kernel-resource-usage", *options, *OURS, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said = counts(amd_remarks.read(done.stderr.encode(), "").usages)
    return {name: count for name, count in said.items() if not name.startswith("__clang_ocl_kern_imp_")}


@pytest.mark.parametrize("arch", ["gfx803", "gfx90a", "gfx1100"])
def test_without_a_project(compile_: Compile, kernels: Path, arch: str) -> None:
    reading = compile_("kernels.cl", arch, language="opencl", machine=WHEELS)
    assert not reading.problems
    assert counts(reading.usages) == plain(kernels, arch, "-O3")
    assert [it.group_size for it in reading.usages if it.kernel == "tile"] == [256]


def test_the_projects_flags_count(compile_: Compile, kernels: Path) -> None:
    flags = ["-cl-std=CL2.0", "-cl-fast-relaxed-math", "-cl-opt-disable"]
    said = [*flags, "-std=c++17", "-cl-kernel-arg-info", "-o", "k.bc"]
    reading = compile_("kernels.cl", "gfx90a", "clang", *said, "kernels.cl", language="opencl", machine=WHEELS)
    assert counts(reading.usages) == plain(kernels, "gfx90a", *flags)


@pytest.mark.parametrize("call", ["sin(*p)", "native_exp(*p)", "sub_group_reduce_add(*p)"])
def test_what_would_be_counted_differently_does_not_compile(compile_: Compile, workspace: Path, call: str) -> None:
    (workspace / "k.cl").write_text(f"__kernel void k(__global float* p) {{\n  *p = {call};\n}}\n")
    (problem,) = compile_("k.cl", "gfx90a", language="opencl", machine=WHEELS).problems
    assert (problem.path, problem.line) == (str(workspace / "k.cl"), 2)


def test_a_device_without_a_compiler(compile_: Compile, kernels: Path) -> None:
    (problem,) = compile_("kernels.cl", "h100", language="opencl", machine=WHEELS).problems
    assert "no compiler here" in problem.message


@pytest.mark.skipif(rocm(HERE, None) is None, reason="no ROCm here")
def test_our_header_counts_as_rocms_library(compile_: Compile, kernels: Path) -> None:
    """With the same clang. A loop over dimensions is the one thing that takes other scalar registers."""
    command = ["clang", "-mcode-object-version=5", "kernels.cl"]
    installed = compile_("kernels.cl", "gfx90a", *command, language="opencl")
    own = compile_("kernels.cl", "gfx90a", *command, language="opencl", machine=without_rocm(HERE))
    assert {name: count for name, count in counts(own.usages).items() if name != "dims"} == {
        name: count for name, count in counts(installed.usages).items() if name != "dims"
    }
    assert [it.registers for it in own.usages] == [it.registers for it in installed.usages]
