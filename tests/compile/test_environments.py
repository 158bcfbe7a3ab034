"""Headers of Python environments, and standards: what is missing is looked for where packages bring it along."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from occupancy_lsp.compile import environments
from occupancy_lsp.compile.environments import environment_of, folders_of
from occupancy_lsp.compile.toolchains import Machine

from .conftest import Compile

KERNEL = "#include <{}>\n__global__ void k(float* p) {{ *p = VALUE; }}\n"
SITE = "lib/python3.11/site-packages"


def brings(environment: Path, header: str, text: str = "#define VALUE 1\n") -> Path:
    """The folder of headers in which a package brings this one along."""
    path = environment / SITE / header
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize("where", [".venv", "active"])
def test_a_header_of_a_package(compile_: Compile, workspace: Path, tmp_path: Path, bare: Machine, where: str) -> None:
    environment = tmp_path / "active" if where == "active" else workspace / where
    brings(environment, "nvidia/curand/include/curand_of_mine.h")
    (workspace / "k.cu").write_text(KERNEL.format("curand_of_mine.h"))
    active = replace(bare, environment={**bare.environment, "VIRTUAL_ENV": str(environment)})
    reading = compile_("k.cu", "sm_90", machine=active if where == "active" else bare)
    (usage,) = reading.usages
    shown = environment if where == "active" else where
    assert usage.how == (
        "compiled here with the compiler's defaults, for no build file tells its flags; "
        f"headers also from nvidia/curand in {shown}"
    )


def test_headers_that_need_each_other(compile_: Compile, workspace: Path, bare: Machine) -> None:
    """As PyTorch's need those of CUDA's libraries and Python's."""
    environment = workspace / ".venv"
    brings(environment, "torch/include/torch/extension.h", "#include <torch/all.h>\n#include <cublas_of_mine.h>\n")
    brings(environment, "torch/include/torch/csrc/api/include/torch/all.h", "#include <Python.h>\n")
    brings(environment, "nvidia/cu13/include/cublas_of_mine.h", "#include <curand_of_mine.h>\n")
    brings(environment, "nvidia/curand/include/curand_of_mine.h")
    python = workspace.parent / "python"
    (python / "include" / "python3.11").mkdir(parents=True)
    (python / "include" / "python3.11" / "Python.h").write_text("")
    (environment / "pyvenv.cfg").write_text(f"home = {python / 'bin'}\nversion = 3.11\n")
    (workspace / "k.cu").write_text(KERNEL.format("torch/extension.h"))
    assert compile_("k.cu", "sm_90", machine=bare).usages


def test_what_is_found_without_them_comes_first(compile_: Compile, workspace: Path, bare: Machine) -> None:
    """The toolkit's own, and the workspace's."""
    environment = workspace / ".venv"
    brings(environment, "nvidia/cu13/include/only_here.h")
    for header in ("cuda_fp16.h", "mine.h"):
        brings(environment, f"nvidia/cu13/include/{header}", "#error this one\n")
    (workspace / "mine.h").write_text("")
    (workspace / "k.cu").write_text('#include "mine.h"\n#include <cuda_fp16.h>\n' + KERNEL.format("only_here.h"))
    assert compile_("k.cu", "sm_90", machine=bare).usages


def test_the_chosen_interpreter(workspace: Path, tmp_path: Path) -> None:
    for name in ("mine/bin/python", "mine/Scripts/python.exe", "mine/python.exe", "mine"):
        (tmp_path / "mine").mkdir(exist_ok=True)
        assert environment_of(str(tmp_path / name), workspace) == tmp_path / "mine"
    assert environment_of(".venv/bin/python3", workspace) == workspace / ".venv"


def test_a_package_of_the_system(
    workspace: Path, tmp_path: Path, bare: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian's Eigen lies in a folder that builds add; what else lies there is not looked for."""
    monkeypatch.setattr(environments, "_SYSTEM", (str(tmp_path / "none"), str(tmp_path)))
    for name in ("eigen3/Eigen/Core", "eigen3/other.h", "opencv4/opencv2/core.hpp"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert folders_of("Eigen/Core", bare, workspace) == (tmp_path / "eigen3",)
    assert folders_of("opencv2/core.hpp", bare, workspace) == (tmp_path / "opencv4",)
    for other in ("other.h", "Eigen/None", "Eigen/../other.h", "opencv2"):
        assert folders_of(other, bare, workspace) == ()


def test_a_newer_standard_where_the_source_asks_for_it(compile_: Compile, workspace: Path, bare: Machine) -> None:
    kernel = "template <class T> concept C = true;\ntemplate <C T> __global__ void k(T* p) { *p = 1; }\n"
    (workspace / "k.cu").write_text(f"{kernel}template __global__ void k<float>(float*);\n")
    (usage,) = compile_("k.cu", "sm_90", machine=bare).usages
    assert usage.how == "compiled here with -std=c++20, for no build file tells its flags"
    (problem,) = compile_("k.cu", "sm_90", "nvcc", "-std=c++17", "k.cu", machine=bare).problems
    assert problem.remedy == "it needs `-std=c++20`"


def test_what_nvcc_allows_on_request_only(compile_: Compile, workspace: Path, bare: Machine) -> None:
    (workspace / "k.cu").write_text(
        "constexpr int twice(int x) { return 2 * x; }\n"
        "__global__ void k(float* p, int n) { p[0] = twice(n); }\n"
        "template <class F> __global__ void of(F f, float* p) { p[0] = f(p[1]); }\n"
        "void run(float* p) { of<<<1, 1>>>([] __device__ (float x) { return x; }, p); }\n"
    )
    reading = compile_("k.cu", "sm_90", machine=bare)
    assert len(reading.usages) == 2 and not reading.problems
    assert "compiled here with --expt-relaxed-constexpr --extended-lambda, for no" in reading.usages[0].how


def test_a_newer_standard_where_an_environment_asks_for_it(compile_: Compile, workspace: Path, bare: Machine) -> None:
    asks = "#if __cplusplus < 202002L\n#error C++20 or later compatible compiler is required\n#endif\n#define VALUE 1\n"
    brings(workspace / ".venv", "torch/include/mine.h", asks)
    (workspace / "k.cu").write_text(KERNEL.format("mine.h"))
    (usage,) = compile_("k.cu", "sm_90", "nvcc", "-std=c++17", "k.cu", machine=bare).usages
    assert usage.how == (
        "compiled here with -std=c++20, as compile_commands.json says, but for -std=c++20, which the headers ask for; "
        "headers also from torch in .venv"
    )


def test_an_environment_whose_packages_are_linked(
    compile_: Compile, workspace: Path, tmp_path: Path, bare: Machine
) -> None:
    """The compiler tells of their headers by where they lie."""
    asks = "#if __cplusplus < 202002L\n#error C++20 or later compatible compiler is required\n#endif\n#define VALUE 1\n"
    brings(tmp_path / "store", "torch/include/mine.h", asks)
    (tmp_path / "active").mkdir()
    (tmp_path / "active/lib").symlink_to(tmp_path / "store/lib")
    (workspace / "k.cu").write_text(KERNEL.format("mine.h"))
    active = replace(bare, environment={**bare.environment, "VIRTUAL_ENV": str(tmp_path / "active")})
    (usage,) = compile_("k.cu", "sm_90", "nvcc", "-std=c++17", "k.cu", machine=active).usages
    assert "-std=c++20, which the headers ask for" in usage.how
