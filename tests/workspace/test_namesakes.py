"""Which kernel a launch in another file means: one that is declared there, and of several the nearest."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile

K = "__global__ void k(float* p)"
BODY = " { p[0] = 1; }\n"
LAUNCH = "void go(float* p) { k<<<1, 96>>>(p); }\n"
INCLUDES = '#include "a.cu"\n'


def sizes(folder: Path, text: str, other: str, header: str = "") -> list[int | None]:
    """Of the first kernel of a file, by the launches in another."""
    for name, content in {"a.cu": text, "b.cu": other, "h.cuh": header}.items():
        if content:
            (folder / name).write_text(content)
    project = Project(folder, None, {"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(folder / "a.cu", "cuda", Text(text.encode()), project).view()
    assert view is not None
    return [it.launch.size.number for it in view.reports[0].far]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        (K + BODY, f"{K};\n{LAUNCH}"),
        (K + BODY, f'#include "h.cuh"\n{LAUNCH}'),
        (K + BODY, INCLUDES + LAUNCH),
        (f"static {K}{BODY}", INCLUDES + LAUNCH),
        (f"namespace {{ {K}{BODY} }}\n", INCLUDES + LAUNCH),
        (f"namespace a {{ {K}{BODY} }}\n", f"namespace a {{ {K}; }}\n{LAUNCH.replace('k<<<', 'a::k<<<')}"),
        (f"namespace a {{ {K}{BODY} }}\n", f"{INCLUDES}using namespace a;\n{LAUNCH}"),
        (f"template <class T> {K}{BODY}", f"template <class T> {K};\n{LAUNCH.replace('k<<<', 'k<int><<<')}"),
        (K + BODY, f"{K};\ntemplate <class F> void launch(F f, float* p) {{ f<<<1, 96>>>(p); }}\n"
         "void go(float* p) { launch(k, p); }\n"),
    ],
)  # fmt: skip
def test_it_is_the_kernel(tmp_path: Path, text: str, other: str) -> None:
    assert sizes(tmp_path, text, other, f"{K};\n" if "h.cuh" in other else "") == [96]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        # Nobody else can launch it.
        (f"static {K}{BODY}", f"{K};\n{LAUNCH}"),
        (f"static {K}{BODY}", f"static {K};\n{LAUNCH}"),
        (f"static {K}{BODY}", f"static {K}{BODY}{LAUNCH}"),
        (f"namespace {{ {K}{BODY} }}\n", f"{K};\n{LAUNCH}"),
        # The other file's own.
        (K + BODY, f"static {K};\n{LAUNCH}"),
        (K + BODY, f"static {K}{BODY}{LAUNCH}"),
        (K + BODY, f"static void (*k)(float*) = choose();\n{LAUNCH}"),
        (K + BODY, "struct A { void (*k)(float*); void go(float* p) { k<<<1, 96>>>(p); } };\n"),
        (K + BODY, f"#define MAKE(name) __global__ void name(float* p) {{ }}\nMAKE(k)\n{LAUNCH}"),
        (K + BODY, f'#include "h.cuh"\n{LAUNCH}'),
        # Another namespace's, or one that takes something else.
        (f"namespace a {{ {K}{BODY} }}\n", f"{K};\n{LAUNCH}"),
        (f"namespace a {{ {K}{BODY} }}\n", f"namespace b {{ {K}; }}\n{LAUNCH.replace('k<<<', 'b::k<<<')}"),
        (f"namespace a {{ {K}{BODY} }}\n", f"{INCLUDES}namespace b {{ {K}{BODY}{LAUNCH} }}\n"),
        (f"namespace a {{ {K}{BODY} }}\n", f"{INCLUDES}namespace b {{ {K}; {LAUNCH} }}\n"),
        (K + BODY, "__global__ void k(int* p, int n);\nvoid go(int* p) { k<<<1, 96>>>(p, 3); }\n"),
    ],
)
def test_it_is_a_namesake(tmp_path: Path, text: str, other: str) -> None:
    assert sizes(tmp_path, text, other, f"static {K}{BODY}" if "h.cuh" in other else "") == []


def test_a_macro_of_the_kernel_s_file_is_none_of_files_that_do_not_see_it(tmp_path: Path) -> None:
    launch = "void go(float* p) { const int GLOBAL = 96; k<<<1, GLOBAL>>>(p); }\n"
    text = f"#define GLOBAL __global__\n{K.replace('__global__', 'GLOBAL')}{BODY}"
    assert sizes(tmp_path, text, f"{K};\n{launch}") == [96]


BOUNDED = "__global__ void __launch_bounds__(64) k"
PROTOTYPE = f"{BOUNDED}(float* p);\n"


@pytest.mark.parametrize(
    ("text", "other", "said"),
    [
        # nvcc 13.0 compiles the definition with `.maxntid 64`: its launch of 96 threads fails.
        (f'#include "h.cuh"\n{K}{BODY}', f'#include "h.cuh"\n{LAUNCH}', ["OCC005"]),
        (f"{BOUNDED}(float* p){BODY}", f"{K};\n{LAUNCH}", ["OCC005"]),
        (f"namespace a {{ {BOUNDED}(float* p){BODY} }}\n", f"namespace a {{ {K}; {LAUNCH} }}\n", ["OCC005"]),
        (f"{BOUNDED}(float* p){BODY}", f"{K};\n{LAUNCH.replace('96', '64')}", []),
        # It may be another kernel, which is out of sight.
        (f"{BOUNDED}(double* p){BODY}", f"{K};\n{LAUNCH}", []),
        (f"{BOUNDED}(float* p){BODY}", f"{K};\n{K.replace('p', 'p, int n')};\n{LAUNCH}", []),
        (f"struct S; {BOUNDED}(S* p){BODY}", f"struct S; {K.replace('float', 'S')};\n{LAUNCH}", []),
        (f"{BOUNDED}(float* p){BODY}{BOUNDED}(const float* p){BODY}", f"{K};\n{LAUNCH}", []),
        (f"template <class T> {BOUNDED}(T* p){BODY}", f"{K};\n{LAUNCH}", []),
    ],
)
def test_bounds_hold_for_launches_that_see_a_prototype_alone(
    tmp_path: Path, text: str, other: str, said: list[str]
) -> None:
    for name, content in {"a.cu": text, "b.cu": other, "h.cuh": PROTOTYPE}.items():
        if name in (*other.split('"'), "a.cu", "b.cu"):
            (tmp_path / name).write_text(content)
    project = Project(tmp_path, None, {"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(tmp_path / "a.cu", "cuda", Text(text.encode()), project).view()
    assert view is not None
    assert [it.code for it in diagnostics(view) if it.severity == "error"] == said
