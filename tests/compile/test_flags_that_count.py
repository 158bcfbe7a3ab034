"""Flags that change what kernels take: passed on, or named with the counts. Truth: a plain run of nvcc with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from occupancy_lsp.compile.arguments import left_out, read_arguments
from occupancy_lsp.compile.harmless import may_matter
from occupancy_lsp.workspace.compile_commands import Command

from .conftest import Compile
from .test_cuda import counts, plain

ROWS = 60
KERNELS = f"""
__global__ void k(const float* x, float* y, float s) {{
    int t = threadIdx.x;
    float a[{ROWS}];
    #pragma unroll
    for (int n = 0; n < {ROWS}; ++n) a[n] = x[n * 32 + t];
    __syncthreads();
    #pragma unroll
    for (int n = 0; n < {ROWS}; ++n) y[n * 32 + t] = a[n] * s + x[n];
}}
__global__ void __launch_bounds__(256) b(const float* x, float* y, float s) {{ y[threadIdx.x] = x[threadIdx.x] / s; }}
"""


@pytest.fixture
def source(workspace: Path) -> Path:
    path = workspace / "k.cu"
    path.write_text(KERNELS)
    return path


@pytest.mark.parametrize(
    "flags",
    [
        "-Xptxas -maxntid=1024",
        "-Xptxas -maxntid=256,-minnctapersm,6",
        "-Xptxas -maxrregcount -Xptxas 40 --ptxas-options=-override-directive-values",
        "-dopt on -G -Xptxas -maxrregcount=archmin",
        "-Xptxas -g",
        "-Ofc=min",
        "-Ofc=max",
    ],
)
def test_counts_are_those_of_the_flags(compile_: Compile, source: Path, flags: str) -> None:
    words = flags.split()
    reading = compile_("k.cu", "sm_90", "nvcc", *words)
    assert counts(reading.usages) == plain(source, "-arch=sm_90", *words)
    assert not any("without" in it.how for it in reading.usages)


def test_what_is_not_passed_on_is_named(compile_: Compile, source: Path) -> None:
    reading = compile_("k.cu", "sm_90", "nvcc", "-Xcicc", "-O0", "-O3", "-Xcompiler", "-Wall", "-MD", "-o", "k.o")
    (said,) = {it.how for it in reading.usages}
    assert said.endswith("as compile_commands.json says, but without -Xcicc -O0, which may change the counts")


def test_the_first_of_commands_that_differ_is_called_so(compile_: Compile, workspace: Path, source: Path) -> None:
    def commands(*each: str) -> str:
        return json.dumps([{"directory": str(workspace), "file": "k.cu", "command": f"nvcc {it}"} for it in each])

    database = workspace / "compile_commands.json"
    database.write_text(commands("-maxrregcount=40 -o a.o", "-o b.o"))
    said = {it.how for it in compile_("k.cu", "sm_90").usages}
    assert all("as compile_commands.json says, in the first of 2 commands that differ" in it for it in said)
    database.write_text(commands("-maxrregcount=40 -o a.o", "-maxrregcount=40 -o b.o -arch=sm_80"))
    assert not any("differ" in it.how for it in compile_("k.cu", "sm_90").usages)


def dropped(program: str, flags: str) -> list[str]:
    command = Command("/p", (program, *flags.split()))
    return may_matter(left_out(command, lambda path: None), program == "nvcc")


@pytest.mark.parametrize(
    ("program", "flags"),
    [
        ("nvcc", "-c k.cu -o k.o -x cu -O3 -g -m64 -t 4 --threads=4 -MD -MF k.d -MT k.o -Wall -Werror all-warnings"),
        ("nvcc", "-ccbin g++ -Xcompiler -fPIC,-O0 -Xcompiler=-Wall -Xlinker -z -Xarchive x -lfoo -L/lib --keep-dir x"),
        ("nvcc", "-forward-unknown-to-host-compiler -fPIC -march=native -fopenmp -pthread -Xcudafe --diag_suppress=1"),
        ("nvcc", "-Xptxas -v,-warn-spills -Xptxas --suppress-stack-size-warning -lineinfo -res-usage -arch=native"),
        ("hipcc", "-c k.hip -o k.o -O3 -g -Wall -fPIC -pthread --rocm-path=/opt/rocm -parallel-jobs=4 -x hip -MD"),
        ("clang++", "--offload-arch=gfx90a --offload-compress -fno-gpu-rdc -fopenmp -mavx2 -march=native -std=c++17"),
        ("clang++", "-Xclang -target-feature -Xclang +cumode -Xarch_device -mwavefrontsize64 -Xarch_host -ffast-math"),
    ],
)
def test_harmless(program: str, flags: str) -> None:
    assert dropped(program, flags) == []


@pytest.mark.parametrize(
    ("program", "flags", "named"),
    [
        ("nvcc", "-Xcicc -O0 -O2", ["-Xcicc -O0"]),
        ("nvcc", "-dlto -gencode=arch=compute_90,code=lto_90", ["-dlto", "-gencode arch=compute_90,code=lto_90"]),
        ("nvcc", "-Xptxas -unheard-of=1,-v", ["-Xptxas -unheard-of=1"]),
        ("nvcc", "-maxrregcount=many", ["-maxrregcount=many"]),
        ("hipcc", "-fgpu-rdc -fno-inline -Xclang -mllvm", ["-fgpu-rdc", "-fno-inline", "-Xclang -mllvm"]),
        ("clang++", "-mllvm -inline-threshold=0 -Og", ["-mllvm -inline-threshold=0", "-Og"]),
        ("clang++", "-fsanitize=address -flto", ["-fsanitize=address", "-flto"]),
    ],
)
def test_what_may_matter_is_named(program: str, flags: str, named: list[str]) -> None:
    assert dropped(program, flags) == named


def test_options_of_ptxas_go_with_their_values() -> None:
    words = "-Xptxas -maxntid -Xptxas 512 -O3 --ptxas-options=-minnctapersm,2,-O1 -Xptxas=-fmad=false"
    said = read_arguments(Command("/p", ("nvcc", *words.split())), lambda path: None)
    assert said.ptxas == ("-maxntid=512", "-minnctapersm=2", "-O1", "-fmad=false")
