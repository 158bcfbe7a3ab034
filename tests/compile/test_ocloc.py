"""OpenCL for Intel's devices, where Intel's offline compiler is installed."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest

from occupancy_lsp.compile.ocloc import DEVICES
from occupancy_lsp.compile.toolchains import Machine, find_ocloc
from occupancy_lsp.counts.formats import recognise
from tests.presets import CATALOGUE

from .conftest import Compile

OCLOC = next(find_ocloc(Machine.here(), None), None)
installed = pytest.mark.skipif(OCLOC is None, reason="no ocloc here")


@pytest.fixture
def kernels(workspace: Path) -> Path:
    return Path(copy(Path(__file__).parent / "kernels.cl", workspace))


def test_the_architectures_are_those_of_presets() -> None:
    known = {device.arch.id for device in CATALOGUE.all() if device.vendor == "intel"}
    assert set(DEVICES) <= known


@installed
def test_as_ocloc_by_itself(compile_: Compile, kernels: Path, tmp_path: Path) -> None:
    assert OCLOC is not None
    reading = compile_("kernels.cl", "xe_hpc", language="opencl")
    command = ["compile", "-file", kernels, "-device", "pvc", "--format", "zebin", "-output", "k", "-output_no_suffix"]
    subprocess.run([*OCLOC.start, *command, "-out_dir", tmp_path / "out"], check=True, capture_output=True)
    plain = recognise.read((tmp_path / "out" / "k").read_bytes(), "")
    assert reading.usages
    assert [replace(it, path="", how="", mtime=0.0) for it in reading.usages] == list(plain.usages)


@installed
def test_the_projects_macros_count(compile_: Compile, workspace: Path) -> None:
    (workspace / "inc").mkdir()
    (workspace / "inc" / "size.h").write_text("#define SIZE (COUNT * WIDE)\n")
    text = '#include "size.h"\n__kernel void k(__global int* p) { __local int s[SIZE]; s[*p] = 1; *p = s[p[1]]; }\n'
    (workspace / "k.cl").write_text(text)
    said = ["-Iinc", "-DCOUNT=16", "-D", "WIDE=(2 + 2)", "-cl-std=CL1.2", "k.cl"]
    (usage,) = compile_("k.cl", "xe_hpc", "clang", *said, language="opencl").usages
    assert usage.static_local == 256


@installed
def test_the_first_error(compile_: Compile, workspace: Path) -> None:
    (workspace / "k.cl").write_text("__kernel void k(__global int* p) {\n  *p = missing;\n}\n")
    (problem,) = compile_("k.cl", "xe_hpc", language="opencl").problems
    assert (problem.path, problem.line) == (str(workspace / "k.cl"), 2)
    assert "undeclared identifier 'missing'" in problem.message


@installed
@pytest.mark.parametrize("arch", ["gen9", "xe_lp", "xe_hpg", "xe_hpc"])
def test_private_arrays_are_no_spills(compile_: Compile, workspace: Path, arch: str) -> None:
    """4 KiB for a work-item. The file has them by hardware thread or by work-item; nothing is told of either."""
    body = "float a[1024]; for (int i = 0; i < n; ++i) a[i] = o[i]; barrier(CLK_GLOBAL_MEM_FENCE);"
    text = f"__kernel void k(__global float* o, int n) {{ {body} o[get_global_id(0)] = a[n - get_local_id(0)]; }}\n"
    (workspace / "k.cl").write_text(text)
    (usage,) = compile_("k.cl", arch, language="opencl").usages
    assert (usage.sub_group, usage.stack, usage.spill_size or 0) == (32, None, 0)


def test_no_ocloc(compile_: Compile, kernels: Path, tmp_path: Path) -> None:
    bare = Machine({"PATH": str(tmp_path)}, (), ())
    (problem,) = compile_("kernels.cl", "xe_hpc", language="opencl", machine=bare).problems
    assert "no ocloc" in problem.message


@installed
@pytest.mark.parametrize("said", [["-D", "X=1 -device skl"], ["-I", "a -device skl"], ["-cl-std=CL1.2 -Dx"]])
def test_one_argument_stays_one(compile_: Compile, kernels: Path, said: list[str]) -> None:
    reading = compile_("kernels.cl", "xe_hpc", "clang", *said, "kernels.cl", language="opencl")
    assert all("-device" in it.message for it in reading.problems)
    assert {it.arch for it in reading.usages} <= {"xe_hpc"}
