"""What a compile_commands.json says of macros and folders decides what the sources mean."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from occupancy_lsp.session.project import Project
from occupancy_lsp.source.source import Source
from occupancy_lsp.source.text.dialects import CUDA

_KERNEL = """#include <sizes.h>
#ifdef BIG
#define N 1024
#else
#define N 64
#endif
__global__ void k(float* p) { __shared__ T a[N * SCALE]; a[threadIdx.x] = *p; __syncthreads(); *p = a[1]; }
"""


def _bytes(root: Path, arguments: list[str] | None) -> int | None:
    (root / "inc").mkdir()
    (root / "inc" / "sizes.h").write_text("#define SCALE 2\n")
    source = root / "k.cu"
    source.write_text(_KERNEL)
    if arguments is not None:
        entry = {"directory": str(root), "file": "k.cu", "arguments": ["nvcc", *arguments, "k.cu"]}
        (root / "compile_commands.json").write_text(json.dumps([entry]))
    project = Project(root)
    project.read_sources(lambda: False, lambda done, total: None)
    dialect = project.dialect(source, "", source.read_bytes())
    assert dialect is not None
    read = Source(source.read_bytes(), dialect)
    (kernel,) = read.facts({"__CUDA_ARCH__": 800}, project.around(source, read)).kernels
    return kernel.local.exact


@pytest.mark.parametrize(
    ("arguments", "size"),
    [
        (["-Iinc", "-DT=float"], 512),
        (["-Iinc", "-DT=double", "-DBIG"], 16384),
        (["-Iinc", "-DT=double", "-DBIG", "-UBIG"], 1024),
        (["-DT=float"], 512),  # the only file of the workspace by that name
        (["-Iinc"], None),  # no T
        (None, None),
    ],
)
def test_what_the_command_line_defines(tmp_path: Path, arguments: list[str] | None, size: int | None) -> None:
    assert _bytes(tmp_path, arguments) == size


@pytest.mark.parametrize(
    ("makefile", "size"),
    [
        ("CFLAGS = -O3 -DT=float -DBIG\n", 8192),
        ("CFLAGS = -O3 -DT=float \\\n  -DBIG\n", 8192),
        ("CFLAGS = -DT=float\nifdef LARGE\nCFLAGS += -DBIG\nendif\n", None),  # open
        ("CFLAGS = -DT=float\nsmall:\n\tnvcc -DBIG=0 k.cu\n", None),  # of one target
        ("CFLAGS = -DT=float\nHOST = -DT=double\n", None),
        ("CFLAGS = -DT=$(REAL)\n", None),
        ("CFLAGS = -DT=float  # -DBIG\n", 512),
    ],
)
def test_what_the_makefile_beside_defines(tmp_path: Path, makefile: str, size: int | None) -> None:
    (tmp_path / "Makefile").write_text(makefile)
    assert _bytes(tmp_path, None) == size


@pytest.mark.parametrize("place", ["CMakeLists.txt", "cmake/flags.cmake", "config/common.mk", "../CMakeLists.txt"])
def test_a_name_that_a_build_file_mentions_may_be_defined(tmp_path: Path, place: str) -> None:
    root = tmp_path / "part"
    root.mkdir()
    (root / "Makefile").write_text("CFLAGS = -DT=float\n")
    assert _bytes(root, None) == 512
    (root / "inc" / "sizes.h").unlink()
    (root / "inc").rmdir()
    (root / place).parent.mkdir(exist_ok=True)
    (root / place).write_text("add_compile_definitions(BIG)\n")
    inside = not place.startswith("..")  # what lies above the workspace is not looked at
    assert _bytes(root, None) == (None if inside else 512)


@pytest.mark.parametrize(
    ("name", "open_"),
    [
        ("CHAR_DATA", False),
        ("INT_SIZED", False),
        ("CHAR_BIT", True),
        ("UINT8_MAX", True),
        ("HAVE_FAST_MATH", True),
        ("CUTLASS_ARCH_MMA_SM100_SUPPORTED", True),
        ("CUTLASSES", False),
        ("CUTE_SM90_ENABLED", True),
    ],
)
def test_a_name_of_headers_that_are_nowhere_in_the_workspace_may_be_defined(
    tmp_path: Path, name: str, open_: bool
) -> None:
    text = f"#ifdef {name}\n#define N 4\n#else\n#define N 8\n#endif\n"
    source = tmp_path / "k.cu"
    source.write_text(f"{text}__global__ void __launch_bounds__(N) k() {{}}\n")
    project = Project(tmp_path)
    project.read_sources(lambda: False, lambda done, total: None)
    read = Source(source.read_bytes(), CUDA)
    (kernel,) = read.facts({}, project.around(source, read)).kernels
    assert kernel.bounds is not None
    assert kernel.bounds.max_threads.value.number == (None if open_ else 8)
