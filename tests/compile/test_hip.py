"""HIP by the clang of the wheel: the counts are those of a plain run of it, and of ROCm's own header."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from occupancy_lsp.compile.toolchains import Machine, Toolchain, rocm
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.formats import amd_remarks
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.features.hints import hints, tooltip
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.compilers import HERE, WHEELS, clang, for_hip

from .conftest import Compile, without_rocm

KERNELS = (Path(__file__).parent / "kernels.hip").read_text()


@pytest.fixture
def kernels(workspace: Path) -> Path:
    source = workspace / "kernels.hip"
    source.write_text(KERNELS)
    return source


def plain(compiler: Toolchain, source: Path, arch: str, *arguments: str) -> dict[str, tuple[int | None, ...]]:
    """What clang remarks by itself."""
    options = ["-x", "hip", "--cuda-device-only", f"--offload-arch={arch}", "-S", "-o", "/dev/null", *arguments]
    command = [*compiler.start, "-Rpass-analysis=kernel-resource-usage", *options, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=source.parent, check=True)
    return counts(amd_remarks.read(done.stderr.encode(), "").usages)


def counts(usages: tuple[Usage, ...]) -> dict[str, tuple[int | None, ...]]:
    return {it.kernel: (it.registers, it.scalars, it.static_local, it.spilled_registers) for it in usages}


@pytest.mark.parametrize("arch", ["gfx900", "gfx90a", "gfx1030", "gfx1100", "gfx1201"])
def test_without_a_project(compile_: Compile, kernels: Path, arch: str) -> None:
    reading = compile_("kernels.hip", arch, language="hip", machine=WHEELS)
    assert not reading.problems
    assert counts(reading.usages) == plain(clang(), kernels, arch, "-O3", *for_hip())
    assert {it.arch for it in reading.usages} == {arch}
    assert len(reading.usages) == 8


@pytest.mark.parametrize(
    ("command", "flags"),
    [
        (["hipcc", "-DTILE=8"], ["-O3", "-DTILE=8"]),
        (["/opt/rocm/llvm/bin/clang++", "-O2", "-DTILE=8", "-c"], ["-O2", "-DTILE=8"]),
        (["clang++", "-std=c++20"], ["-std=c++20"]),
        (["hipcc", "-O1", "-mllvm", "-amdgpu-function-calls=false"], ["-O1", "-mllvm", "-amdgpu-function-calls=false"]),
    ],
)
def test_the_projects_flags_count(compile_: Compile, kernels: Path, command: list[str], flags: list[str]) -> None:
    reading = compile_("kernels.hip", "gfx90a", *command, "kernels.hip", language="hip", machine=WHEELS)
    assert not reading.problems
    assert counts(reading.usages) == plain(clang(), kernels, "gfx90a", *flags, *for_hip())


def test_the_target_of_the_project(compile_: Compile, kernels: Path) -> None:
    said = ["--offload-arch=gfx1030", "--offload-arch=gfx90a:xnack-"]
    reading = compile_("kernels.hip", "gfx90a", "hipcc", *said, "k.hip", language="hip", machine=WHEELS)
    with_feature = plain(clang(), kernels, "gfx90a:xnack-", "-O3", *for_hip())
    assert counts(reading.usages) == with_feature != plain(clang(), kernels, "gfx90a", "-O3", *for_hip())


@pytest.mark.skipif(rocm(HERE, None) is None, reason="no ROCm here")
def test_our_header_counts_as_rocms(compile_: Compile, kernels: Path) -> None:
    """With the same clang, and arguments laid out alike: only the names of vector types differ."""
    command = ["hipcc", "-mcode-object-version=5", "kernels.hip"]
    installed = compile_("kernels.hip", "gfx90a", *command, language="hip")
    own = compile_("kernels.hip", "gfx90a", *command, language="hip", machine=without_rocm(HERE))
    assert own.usages
    assert list(counts(own.usages).values()) == list(counts(installed.usages).values())


@pytest.mark.parametrize("call", ["sinf(*p)", "__shfl(*p, 1)", "pow(*p, 2.)"])
def test_what_would_be_counted_differently_does_not_compile(compile_: Compile, workspace: Path, call: str) -> None:
    text = f"#include <hip/hip_runtime.h>\n#include <cmath>\n__global__ void k(float* p) {{ *p = {call}; }}\n"
    (workspace / "k.hip").write_text(text)
    (problem,) = compile_("k.hip", "gfx90a", language="hip", machine=WHEELS).problems
    assert (problem.path, problem.line) == (str(workspace / "k.hip"), 3)


@pytest.mark.parametrize("flags", [[], ["-fgpu-rdc"]])
def test_functions_of_other_files(compile_: Compile, workspace: Path, flags: list[str]) -> None:
    """What the kernel uses is known when it is linked; a function of the same file is complete."""
    text = "#include <hip/hip_runtime.h>\n{} float far(float x){}\n__global__ void k(float* p) {{ *p = far(*p); }}\n"
    (workspace / "far.hip").write_text(text.format("__device__", ";"))
    (problem,) = compile_("far.hip", "gfx90a", "hipcc", *flags, "k.hip", language="hip", machine=WHEELS).problems
    assert "_Z3farf" in problem.message and "linked" in problem.message
    (workspace / "near.hip").write_text(text.format("__device__ __attribute__((noinline))", " { return x * 2; }"))
    assert compile_("near.hip", "gfx90a", "hipcc", *flags, "k.hip", language="hip", machine=WHEELS).usages


def test_the_second_time_it_is_kept(compile_: Compile, kernels: Path) -> None:
    first = compile_("kernels.hip", "gfx90a", language="hip", machine=WHEELS)
    steps: list[str] = []
    again = compile_("kernels.hip", "gfx90a", language="hip", machine=WHEELS, steps=steps)
    assert counts(again.usages) == counts(first.usages)
    assert steps == ["preprocessing"]


def test_unknown_architecture(compile_: Compile, kernels: Path) -> None:
    (problem,) = compile_("kernels.hip", "hd-5870", language="hip", machine=WHEELS).problems
    assert "not compiled: clang: " in problem.message


def test_nothing_to_compile_with(compile_: Compile, kernels: Path, tmp_path: Path) -> None:
    bare = Machine({"PATH": str(tmp_path)}, (), ())
    (problem,) = compile_("kernels.hip", "gfx90a", language="hip", machine=bare).problems
    assert "occupancy-lsp[amd]" in problem.message


def test_flags_that_would_run_something(compile_: Compile, kernels: Path, workspace: Path) -> None:
    canary = workspace / "canary"
    (workspace / "evil").write_text(f"#!/bin/sh\ntouch {canary}\n")
    (workspace / "evil").chmod(0o755)
    loads = [
        "-fplugin=./evil",
        "-Xclang",
        "-load",
        "-Xclang",
        "./evil",
        "-fpass-plugin=./evil",
        "-mllvm",
        "-load=./evil",
    ]
    starts = ["-B.", "-ccc-install-dir", ".", "--config=evil", "-fuse-ld=./evil", "--rocm-path=.", "-wrapper", "./evil"]
    writes = ["-fdebug-compilation-dir=.", "-save-temps", "-ftime-trace=t.json", "-MD", "-MF", "k.d", "-o", "k.o"]
    asks = [*loads, *starts, *writes]
    reading = compile_("kernels.hip", "gfx90a", "./evil", *asks, "kernels.hip", language="hip", machine=WHEELS)
    assert reading.usages
    assert sorted(it.name for it in workspace.iterdir()) == ["compile_commands.json", "evil", "kernels.hip"]


@pytest.mark.parametrize(("flags", "figure"), [([], "8 WG/WGP"), (["-mcumode"], "4 WG/CU")])
def test_the_figure_is_of_the_unit_that_the_mode_makes_one(
    compile_: Compile, workspace: Path, flags: list[str], figure: str
) -> None:
    """A WGP has 128 KiB of LDS and both CUs' SIMDs; in CU mode a group has one CU's, and 64 KiB."""
    body = "__shared__ float t[4096]; t[threadIdx.x] = *p; __syncthreads(); *p = t[255 - threadIdx.x];"
    text = f"#include <hip/hip_runtime.h>\n__global__ void __launch_bounds__(256) k(float *p) {{ {body} }}\n"
    (source := workspace / "k.hip").write_text(text)
    reading = compile_("k.hip", "gfx1100", "hipcc", *flags, "k.hip", language="hip", machine=WHEELS)
    project = Project(workspace, None, {"devices": ["gfx1100"]})
    project.compiled(source, reading)
    view = OpenFile(source, "", Text(text.encode()), project).view()
    assert view is not None
    (hint,) = hints(view, 0, len(text))
    assert hint.label == f"100% at 256 · {figure}"
    assert figure.replace(" WG", " work-groups") in markdown(tooltip(view, "kernel:0") or ())
