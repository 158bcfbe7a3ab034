"""Counts with the flags of a CMakeLists.txt, and what is said where these are in doubt."""

from __future__ import annotations

from pathlib import Path

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


def test_a_flag_in_doubt_means_no_count(compile_: Compile, workspace: Path) -> None:
    (workspace / "k.cu").write_text(KERNEL)
    doubt = "find_package(X)\nif(X_FOUND)\n  target_compile_options(k PRIVATE -use_fast_math)\nendif()\n"
    (workspace / "CMakeLists.txt").write_text(PROJECT + doubt)
    reading = compile_("k.cu", "sm_90")
    (problem,) = reading.problems
    assert not reading.usages
    assert "-use_fast_math only under a condition" in problem.message
    assert "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON" in problem.remedy
    assert compile_("k.cu", "sm_90", "nvcc", "-DSCALE=3", "-c", "k.cu").usages


def test_several_ways_are_said(compile_: Compile, workspace: Path) -> None:
    (workspace / "k.cu").write_text(KERNEL.replace("SCALE", "2"))
    both = "add_library(a k.cu)\nadd_library(b k.cu)\ntarget_compile_options(b PRIVATE -use_fast_math)\n"
    (workspace / "CMakeLists.txt").write_text(f"project(p LANGUAGES CUDA)\n{both}")
    (said,) = compile_("k.cu", "sm_90").usages
    assert said.how == "compiled here with the compiler's defaults, for its build files compile it in several ways"
