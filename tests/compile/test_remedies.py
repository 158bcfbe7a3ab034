"""What is advised after a compiler's error: the errors are those of real compilers."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.compile.remedies import remedy, standard_asked
from tests.compilers import WHEELS

from .conftest import Compile


@pytest.mark.parametrize(
    "line, advice",
    [
        ("#include <curand_kernel.h>", "`pip install nvidia-curand` has it (for CUDA 12, `nvidia-curand-cu12`)"),
        ("#include <cudnn.h>", "`pip install nvidia-cudnn-cu13` has it (for CUDA 12, `nvidia-cudnn-cu12`)"),
        ("#include <raft/core/error.hpp>", "`pip install libraft-cu13` has it (for CUDA 12, `libraft-cu12`)"),
        (
            "#include <torch/extension.h>",
            "install PyTorch in `.venv`, or name its environment in `occupancy.python`",
        ),
        (
            '#include "cute/tensor.hpp"',
            "CUTLASS has it, often as a submodule: `git submodule update --init --recursive`",
        ),
        ('#include "nobody_knows.h"', ""),
        ("#error this library requires C++20 or later", "it needs `-std=c++20`"),
        ("#include <span>\n__device__ std::span<int> s;", "it needs `-std=c++20`"),
        ("template <class T> concept C = true;", "it needs `-std=c++20`"),
        ("int main() { return nothing; }", ""),
    ],
)
def test_what_nvcc_says(compile_: Compile, workspace: Path, line: str, advice: str) -> None:
    (workspace / "k.cu").write_text(f"{line}\n__global__ void k(float* p) {{ *p = 1; }}\n")
    (problem,) = compile_("k.cu", "sm_90", "nvcc", "-std=c++17", "k.cu").problems
    assert (problem.remedy, problem.line > 0) == (advice, True), problem
    assert str(problem).endswith(f"; {advice}" if advice else problem.message)


def test_what_clang_says(compile_: Compile, workspace: Path) -> None:
    (workspace / "k.hip").write_text("#include <rocprim/rocprim.hpp>\n__global__ void k(float* p) { *p = 1; }\n")
    (problem,) = compile_("k.hip", "gfx90a", language="hip", machine=WHEELS).problems
    assert problem.remedy == "install ROCm, which has it"


@pytest.mark.parametrize(
    "error, standard",
    [
        ("#error C++17 or later compatible compiler is required to use PyTorch.", "c++17"),
        ("#error You need C++20 to compile PyTorch", "c++20"),
        ("#error libcu++ requires at least C++ 17. Define CCCL_IGNORE_DEPRECATED_CPP_DIALECT to suppress", "c++17"),
        ('#error "This file requires compiler and library support for the ISO C++ 2017 standard."', "c++17"),
        ('namespace "std" has no member "span"', "c++20"),
        ('namespace "std" has no member "spam"', ""),
        ("#error C++98 is required", ""),
        ("this declaration has no storage class or type specifier", ""),
    ],
)
def test_a_standard_that_is_asked_for(error: str, standard: str) -> None:
    assert standard_asked(error) == standard


@pytest.mark.parametrize(
    "error",
    ["fatal error C1083: Cannot open include file: 'cublas_v2.h': No such file or directory",
     'cannot open source file "cublas_v2.h"', "'cublas_v2.h' file not found", "cublas_v2.h: No such file or directory"],
)  # fmt: skip
def test_every_compiler_is_understood(error: str) -> None:
    assert "nvidia-cublas" in remedy(error)


def test_submodules_that_are_not_checked_out(compile_: Compile, workspace: Path) -> None:
    listed = "".join(
        f'[submodule "{it}"]\n\tpath = {it}\n\turl = https://example.org/{it}\n' for it in ("here", "3rd/a")
    )
    (workspace / ".gitmodules").write_text(f'{listed}[submodule "out"]\n\tpath = ../out\n')
    (workspace / "here").mkdir()
    (workspace / "here" / "x.h").write_text("")
    (workspace / "k.cu").write_text("#include <lib_of_mine/a.h>\n__global__ void k(float* p) { *p = 1; }\n")
    (problem,) = compile_("k.cu", "sm_90").problems
    assert problem.remedy == (
        "a submodule may have it: `git submodule update --init --recursive` (3rd/a is not checked out)"
    )
    (workspace / "k.cu").write_text("#include <torch/extension.h>\n")
    (problem,) = compile_("k.cu", "sm_90").problems
    assert "PyTorch" in problem.remedy


def test_code_for_newer_devices(compile_: Compile, workspace: Path) -> None:
    (workspace / "k.cu").write_text('__global__ void k() { asm("griddepcontrol.wait;"); }\n')
    (problem,) = compile_("k.cu", "sm_80").problems
    assert problem.remedy == "it is code for sm_90 or higher: choose such a device", problem
    assert compile_("k.cu", "sm_90").usages
