"""A text that is not on disk is compiled as if it were: its headers stand beside the file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.session.compilations import Compilation, compilation
from occupancy_lsp.session.project import Project

CUDA = '#include "times.h"\n__global__ void typed(float *x) { x[threadIdx.x] *= TIMES; }\n'
OPENCL = '#include "times.h"\n__kernel void typed(__global float *x) { x[get_global_id(0)] *= TIMES; }\n'
HIP = f"#include <hip/hip_runtime.h>\n{CUDA}"


def wish(path: Path, language: str, device: str, text: str) -> Compilation:
    path.parent.mkdir(exist_ok=True)
    path.write_text("// nothing is saved yet\n")
    (path.parent / "times.h").write_text("#define TIMES 3\n")
    project = Project(path.parent)
    found, dialect = project.find_device(device), project.dialect(path, "", text.encode())
    assert found is not None and dialect is not None and dialect.name == language
    return replace(compilation(path, dialect, found, project), text=text.encode())


def run(wish: Compilation) -> Reading:
    return wish.run(lambda: False, lambda step: None)


@pytest.mark.parametrize(
    ("name", "language", "device", "text"),
    [("a.cu", "cuda", "h100", CUDA), ("a.hip", "hip", "gfx90a", HIP), ("a.cl", "opencl", "gfx90a", OPENCL)],
)
def test_the_text_is_compiled(tmp_path: Path, name: str, language: str, device: str, text: str) -> None:
    it = wish(tmp_path / "project" / name, language, device, text)
    reading = run(it)
    assert not reading.problems
    assert ["typed" in usage.kernel for usage in reading.usages] == [True]
    assert not run(replace(it, text=None)).usages  # what is on disk


def test_files_of_one_text_are_told_apart(tmp_path: Path) -> None:
    """Else what is known of one would be taken for the other's."""
    found = [run(wish(tmp_path / "project" / name, "cuda", "h100", CUDA)).usages[0].path for name in ("a.cu", "b.cu")]
    assert found[0] != found[1]


def test_a_fault_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "project" / "a.cu"
    (problem,) = run(wish(path, "cuda", "h100", CUDA.replace("TIMES", "unheard_of"))).problems
    assert problem.path == str(path)
