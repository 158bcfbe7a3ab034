"""Counts with the flags of a CMakeLists.txt, and what is said where these are in doubt."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .conftest import Compile

KERNEL = "__global__ void k(float* p) { p[threadIdx.x] = sinf(p[threadIdx.x]) * SCALE; }\n"
PROJECT = "project(p LANGUAGES CUDA)\nadd_library(k k.cu)\ntarget_compile_definitions(k PRIVATE SCALE=3)\n"


def test_the_flags_count(compile_: Compile, workspace: Path) -> None:
    (workspace / "k.cu").write_text(KERNEL)
    (workspace / "CMakeLists.txt").write_text(f"{PROJECT}target_compile_options(k PRIVATE -use_fast_math)\n")
    (said,) = compile_("k.cu", "sm_90").usages
    assert said.how == (
        "compiled here with -use_fast_math -DSCALE=3, as CMakeLists.txt says, perhaps also with -DNDEBUG"
    )
    (workspace / "CMakeLists.txt").write_text(PROJECT)
    (precise,) = compile_("k.cu", "sm_90").usages
    assert said.registers is not None and precise.registers is not None and said.registers < precise.registers


DOUBT = "find_package(X)\nif(X_FOUND)\n  target_compile_options(k PRIVATE {})\nendif()\n"


def test_a_flag_in_doubt_is_compiled_both_ways(compile_: Compile, workspace: Path) -> None:
    """Each as the project's own command with it and without it: where they agree, there is one count."""
    steady = KERNEL.replace("k(", "steady(").replace("sinf", "")
    (workspace / "k.cu").write_text(KERNEL + steady)
    (workspace / "CMakeLists.txt").write_text(PROJECT + DOUBT.format("-use_fast_math"))
    same, precise, fast = compile_("k.cu", "sm_90").usages
    by = "compiled here with -DSCALE=3, as CMakeLists.txt says, perhaps also with -DNDEBUG"
    assert (precise.way, fast.way, same.way) == ("without -use_fast_math", "with -use_fast_math", "")
    assert fast.how == f"{by}, with -use_fast_math, which nothing in sight decides"
    assert same.how == f"{by}; the same with or without -use_fast_math, which nothing in sight decides"
    own = [
        {it.kernel: it.registers for it in compile_("k.cu", "sm_90", "nvcc", *more, "-DSCALE=3", "-c", "k.cu").usages}
        for more in ((), ("-use_fast_math",))
    ]
    assert [precise.registers, fast.registers] == [it[fast.kernel] for it in own]
    assert [it[same.kernel] for it in own] == [same.registers] * 2 and precise.registers != fast.registers


def test_too_many_flags_in_doubt_mean_no_count(compile_: Compile, workspace: Path) -> None:
    (workspace / "k.cu").write_text(KERNEL)
    (workspace / "CMakeLists.txt").write_text(PROJECT + DOUBT.format("-use_fast_math -fmad=false -maxrregcount=32"))
    reading = compile_("k.cu", "sm_90")
    (problem,) = reading.problems
    assert not reading.usages
    assert "-use_fast_math -fmad=false -maxrregcount=32 only under a condition" in problem.message
    assert "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON" in problem.remedy
    assert compile_("k.cu", "sm_90", "nvcc", "-DSCALE=3", "-c", "k.cu").usages


def test_a_standard_that_the_toolkits_headers_do_not_take(compile_: Compile, workspace: Path) -> None:
    """No build with this toolkit has it; where the file itself asks, the project's own stands."""
    (workspace / "k.cu").write_text("#include <cuda/std/array>\n" + KERNEL)
    (workspace / "CMakeLists.txt").write_text(f"{PROJECT}target_compile_options(k PRIVATE -std=c++14)\n")
    (said,) = compile_("k.cu", "sm_90").usages
    assert said.how.startswith("compiled here with -std=c++17 -DSCALE=3") and said.how.endswith("the headers ask for")
    (workspace / "k.cu").write_text(f"{KERNEL}#if __cplusplus < 201703L\n#error requires C++17\n#endif\n")
    assert not compile_("k.cu", "sm_90").usages


def test_several_ways_are_said(compile_: Compile, workspace: Path) -> None:
    (workspace / "k.cu").write_text(KERNEL.replace("SCALE", "2"))
    both = "add_library(a k.cu)\nadd_library(b k.cu)\ntarget_compile_options(b PRIVATE -use_fast_math)\n"
    (workspace / "CMakeLists.txt").write_text(f"project(p LANGUAGES CUDA)\n{both}")
    (said,) = compile_("k.cu", "sm_90").usages
    assert said.how == "compiled here with the compiler's defaults, for its build files compile it in several ways"


SCIKIT = """\
[build-system]
requires = ["scikit-build-core"]
build-backend = "scikit_build_core.build"
[tool.scikit-build]
cmake.source-dir = "native"
cmake.args = ["-DSCALES=-DSCALE=5", "-GNinja"]
[tool.scikit-build.cmake.define]
FAST = true
CMAKE_CUDA_FLAGS = "-Xcompiler -fplugin=./evil.so --expt-relaxed-constexpr"
[[tool.scikit-build.overrides]]
if.platform-system = "linux"
inherit.cmake.define = "append"
cmake.define.OTHER = "ON"
"""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="no reader of TOML")
def test_what_a_pyproject_configures_it_with(compile_: Compile, workspace: Path) -> None:
    """scikit-build-core's answers, by the same gate; what an override may say otherwise is as it was."""
    (workspace / "native").mkdir()
    (workspace / "native" / "k.cu").write_text(KERNEL)
    (workspace / "native" / "CMakeLists.txt").write_text(
        "project(p LANGUAGES CUDA)\noption(FAST x OFF)\nset(SCALES -DSCALE=2 CACHE STRING x)\nadd_library(k k.cu)\n"
        "target_compile_options(k PRIVATE ${SCALES})\n"
        "if(FAST)\n  target_compile_options(k PRIVATE -use_fast_math)\nendif()\n"
    )
    (said,) = compile_("native/k.cu", "sm_90").usages
    assert "-DSCALE=2, as native/CMakeLists.txt says" in said.how and "fast" not in said.how
    for text in (
        "",
        "[",
        "[tool.scikit-build]\ncmake.define = 1\n",
        SCIKIT.replace("scikit_build_core.build", "other"),
    ):
        (workspace / "pyproject.toml").write_text(text)
        assert compile_("native/k.cu", "sm_90").usages[0].how == said.how
    (workspace / "pyproject.toml").write_text(SCIKIT)
    (said,) = compile_("native/k.cu", "sm_90").usages
    assert said.how == (
        "compiled here with --expt-relaxed-constexpr -O3 -use_fast_math -DNDEBUG=1 -DSCALE=5, "
        "as native/CMakeLists.txt with pyproject.toml says"
    )


def test_a_folder_of_another_machine(compile_: Compile, workspace: Path) -> None:
    """It cannot be named to a shell, and is not there."""
    (workspace / "CMakeLists.txt").write_text(
        "project(p LANGUAGES CUDA)\ninclude_directories([[D:\\sdk\\include]])\nadd_library(k k.cu)\n"
    )
    (workspace / "k.cu").write_text(KERNEL.replace("SCALE", "2"))
    assert compile_("k.cu", "sm_90").usages
