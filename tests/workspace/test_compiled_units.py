"""What a compile_commands.json says of macros and folders decides what the sources mean."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from occupancy_lsp.counts.formats import ptxas
from occupancy_lsp.session.project import Project
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from tests.compilers import nvcc

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
    return kernel.summary.local.exact


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


_NEVER = """
template <bool ON> __device__ void part(int* p, int n) { ARRAY if (ON) USE }
__device__ void whole(int* p, int n) { ARRAY USE }
__global__ void nowhere(int* p, int n) { ARRAY p[1] = n; }
__global__ void never(int* p, int n) { ARRAY if (false) USE p[1] = n; }
__global__ void constant(int* p, int n) { const bool on = false; ARRAY if (on) USE p[1] = n; }
__global__ void argument(int* p, int n) { part<false>(p, n); p[1] = n; }
__global__ void called(int* p, int n) { if (false) whole(p, n); p[1] = n; }
__global__ void behind(int* p, int n) { ARRAY p[1] = n; return; USE }
__global__ void used(int* p, int n) { ARRAY USE }
#ifdef __CUDACC_DEBUG__
__global__ void debugged(int* p, int n) { ARRAY USE }
#endif
#ifdef __CUDACC_RDC__
__global__ void relocatable(int* p, int n) { ARRAY USE }
#endif
""".replace("ARRAY", "__shared__ int t[64];").replace("USE", "{ t[threadIdx.x] = n; __syncthreads(); p[0] = t[n]; }")


@pytest.mark.parametrize(
    "makefile", ["", "k.o: k.cu\n\tnvcc FLAGS -c k.cu\n", "F = FLAGS\n%.o: %.cu\n\tnvcc $(F) -c $<\n"]
)
@pytest.mark.parametrize(
    "options", [[], ["-G"], ["--device-debug"], ["-G", "-dopt", "on"], ["-rdc=true"], ["-Xcicc", "-O0"]]
)
def test_a_debug_build_keeps_what_never_runs(tmp_path: Path, options: list[str], makefile: str) -> None:
    """And nvcc says by macros what it makes."""
    (tmp_path / "k.cu").write_text(_NEVER)
    command = [*nvcc(), "-arch=sm_80", *options, "-Xptxas", "-v", "-cubin", "k.cu", "-o", "k.cubin"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stderr
    counted = {it.kernel: it.static_local for it in ptxas.read(said, "").usages}
    entry = {"directory": str(tmp_path), "file": "k.cu", "arguments": ["nvcc", *options, "k.cu"]}
    if makefile:
        (tmp_path / "Makefile").write_text(makefile.replace("FLAGS", " ".join(options)))
    else:
        (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    project, text = Project(tmp_path), (tmp_path / "k.cu").read_bytes()
    project.read_sources(lambda: False, lambda done, total: None)
    read = Source(text, CUDA)
    facts = read.facts({"__CUDA_ARCH__": 800}, project.around(tmp_path / "k.cu", read))
    found = {it.name: it.summary.local for it in facts.kernels if not it.conditional}
    known = {f"_Z{len(it)}{it}Pii" for it in found}
    assert known == counted.keys() or (makefile and options == ["-rdc=true"] and known < counted.keys())
    for name, local in found.items():
        bytes_ = counted[f"_Z{len(name)}{name}Pii"]
        assert bytes_ is not None and local.lowest <= bytes_ and (local.highest is None or bytes_ <= local.highest), (
            name
        )
        assert local.highest is not None or name == "called"
    assert found["used"].exact == 256 and found["nowhere"].exact == 0
    keeps = options[:1] in (["-G"], ["--device-debug"], ["-Xcicc"]) and "-dopt" not in options
    assert (found["never"].exact == 0) is not keeps


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
    assert kernel.attributes.bounds is not None
    assert kernel.attributes.bounds.max_threads.value.number == (None if open_ else 8)
