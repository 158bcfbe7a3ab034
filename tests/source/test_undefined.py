"""Kernels that are compiled only where a build out of sight defines a macro are read as if one may."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.incremental.kernel_text import FileFacts
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.sema.translation_unit import NOTHING
from occupancy_lsp.workspace.build_files import words_of_folder

_ALONE = (replace(NOTHING, settable=frozenset()),)
_KERNEL = "__global__ void k(float *p) { __shared__ float s[N]; s[threadIdx.x] = p[1]; *p = s[int(*p)]; }\n"
_HOST = "void run(float *p) { k<<<1, N>>>(p); }\n"


def facts(text: str) -> FileFacts:
    return Source(text.encode(), CUDA).facts({"__CUDA_ARCH__": 900}, _ALONE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#ifdef USE_GPU\n", "#endif\n"),
        ("#if defined(USE_CUDA) || defined(USE_HIP)\n", "#endif\n"),
        ("#ifdef USE_GPU\n#define GPU 1\n#endif\n#if GPU\n", "#endif\n"),
        ("#ifndef USE_GPU\nvoid other() {}\n#else\n", "#endif\n"),
        ("#if VERSION > 3\n", "#endif\n"),
    ],
)
def test_figures_hold_where_it_is_compiled(before: str, after: str) -> None:
    found = facts(f"{before}#define N 128\n{_KERNEL}{_HOST}{after}")
    (kernel,), (launch,) = found.kernels, found.launches
    assert (kernel.conditional, kernel.summary.local.exact, launch.size.number) == (True, 512, 128)


@pytest.mark.parametrize(
    "before",
    [
        "#if 0\n",
        "#ifdef __HIP__\n",
        "#ifdef USE_ROCM\n",
        "#define A\n#ifndef A\n",
        "#ifdef USE_GPU\n#if 0\n#endif\n#endif\n#if 0\n",
    ],
)
def test_what_no_build_compiles_stays_out(before: str) -> None:
    assert not facts(f"{before}#define N 128\n{_KERNEL}{_HOST}#endif\n").kernels


def test_of_alternatives_that_which_is_compiled_counts() -> None:
    """Nothing defines the macro: sizes that it decides are those without it, as for all that hides no kernel."""
    found = facts(f"#ifdef USE_BIG\n#define N 256\n{_KERNEL}#else\n#define N 64\n{_KERNEL}#endif\n{_HOST}")
    (kernel,), (launch,) = found.kernels, found.launches
    assert (kernel.conditional, kernel.summary.local.exact, launch.size.number) == (False, 256, 64)


def test_a_command_tells_what_is_compiled() -> None:
    text = f"#ifdef USE_GPU\n#define N 128\n{_KERNEL}#endif\n"
    unit = replace(_ALONE[0], commanded=True)
    assert not Source(text.encode(), CUDA).facts({"__CUDA_ARCH__": 900}, (unit,)).kernels


def test_build_files_that_others_name(tmp_path: Path) -> None:
    """AMReX's `Tools/CMake`, to which its CMakeLists.txt leads; MY_GLOBAL stands for `__global__` in one branch."""
    tools = tmp_path / "Tools" / "CMake"
    tools.mkdir(parents=True)
    (tools / "SetDefines.cmake").write_text("add_my_define(MY_USE_GPU IF MyProject_GPU) # NOT_THIS\n")
    (tmp_path / "CMakeLists.txt").write_text('set(CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/Tools/CMake")\n')
    words = words_of_folder(tmp_path)
    assert "MY_USE_GPU" in words and "NOT_THIS" not in words
    (tmp_path / "CMakeLists.txt").write_text("include(../Tools/CMake/SetDefines.cmake)\n")
    assert "MY_USE_GPU" not in words_of_folder(tmp_path)


_LINES = (
    "#ifdef X",
    "#ifndef X",
    "#if defined(Y) && !defined(X)",
    "#else",
    "#endif",
    "#define X",
    "#define Y X",
    "#define N 64",
    "#define N 32",
    "__global__ void k(float *p) { __shared__ float a[N]; a[p[0]] = *p; *p = a[p[1]]; }",
    "__global__ void l(float *p) { *p = 1; }",
    "void go() { k<<<1, N>>>(0); }",
)
_line = st.sampled_from(_LINES)


def _all(source: Source) -> list[tuple[object, ...]]:
    found = source.facts({"__CUDA_ARCH__": 900}, _ALONE)
    kernels = [(it.name, source.start_of(it.item), it.conditional, it.summary.local.exact) for it in found.kernels]
    return kernels + [(it.kernel, it.size.number) for it in found.launches]


@given(st.lists(_line, max_size=14), st.lists(st.tuples(st.integers(0, 14), st.integers(0, 2), _line), max_size=8))
def test_edits_leave_what_a_fresh_file_says(lines: list[str], edits: list[tuple[int, int, str]]) -> None:
    now = [*lines]
    source = Source(_text(now), CUDA)
    assert _all(source) == _all(Source(_text(now), CUDA))
    for at, gone, new in edits:
        at = min(at, len(now))
        above, left = _text(now[:at]), _text(now[at : at + gone])
        now[at : at + gone] = [new]
        source.replace(_text(now), len(above), len(above) + len(left), len(above) + len(_text([new])))
        assert _all(source) == _all(Source(_text(now), CUDA))


def _text(lines: list[str]) -> bytes:
    return "".join(f"{it}\n" for it in lines).encode()
