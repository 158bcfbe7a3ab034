"""The hover's figures at other work-group sizes, beside the bytes that nvcc gives the same kernel of that size."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from occupancy_lsp.compile.toolchains import Machine, find_nvcc
from occupancy_lsp.core.text import Text
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.counts.formats import ptxas
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.plain import plain
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.presets import CATALOGUE
from tests.support import text_of, view_of

NVCC = next(find_nvcc(Machine.here(), None)).start[0]  # the development extra brings one
HEAD = "#define SIZE 128\nconstexpr int ROWS = SIZE / 16, PAD = 1;\nstruct Cell { double x; int at; };\n"
SIZES = (32, 64, 96, 128, 192, 256, 384, 512, 768)
# Local memory that follows the size in several ways, and one that does not.
ARRAYS = {
    "scaled": "__shared__ float s[SIZE * 16];",
    "rows": "__shared__ float s[ROWS][32 + PAD];",
    "cells": "__shared__ Cell s[SIZE + 2];",
    "fixed": "__shared__ float s[9000];",
}
USE = {"scaled": "s[{}]", "rows": "s[0][{}]", "cells": "s[{}].x", "fixed": "s[{}]"}


def kernel(name: str, called: str = "") -> str:
    put, got = USE[name].format("threadIdx.x % 16"), USE[name].format("(threadIdx.x + 1) % 16")
    return (
        f"__global__ void {called or name}(float* p) {{ {ARRAYS[name]} {put} = p[threadIdx.x]; __syncthreads(); "
        f"p[threadIdx.x] = {got}; }}\n"
    )


def rows(source: str, device: str = "a100", name: str = "k.cu") -> dict[int, str]:
    """By size; nothing: the sizes are left out."""
    view = OpenFile(
        Path("/nowhere") / name, "", Text(source.encode()), Project(None, None, {"devices": [device]})
    ).view()
    assert view is not None
    line = next((it for it in plain(explain(view, 0)).splitlines() if " sizes" in it), "")
    found = re.findall(r"(\d+): (no launch|[\d.–]+%)", line)
    assert found or not line or line.endswith("sizes are left out: its shared memory may follow the size.")
    return {int(size): figure for size, figure in found}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], int]:
    """Static bytes of each kernel at each size, by one run of nvcc."""
    folder = tmp_path_factory.mktemp("sizes")
    text = "".join(
        f"namespace at{size} {{\n#undef SIZE\n{HEAD.replace('128', str(size))}"
        + "".join(f'extern "C" {kernel(name, f"{name}_{size}")}' for name in ARRAYS)
        + "}\n"
        for size in SIZES
    )
    (folder / "k.cu").write_text(text)
    command = [NVCC, "-cubin", "-arch=sm_80", "-Xptxas", "-v", "-o", "/dev/null", "k.cu"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=True)
    usages = ptxas.read((done.stdout + done.stderr).encode(), "").usages
    named = [(usage.kernel.partition("_"), usage.static_local or 0) for usage in usages]
    return {(name, int(size)): bytes_ for (name, _, size), bytes_ in named}


@pytest.mark.parametrize("name", ARRAYS)
def test_each_size_has_the_memory_that_nvcc_gives_it(name: str, compiled: dict[tuple[str, int], int]) -> None:
    launch = f"void run(float* p, int n) {{ {name}<<<(n + SIZE - 1) / SIZE, SIZE>>>(p); }}\n"
    shown = rows(f"{HEAD}// occupancy: regs=24\n{kernel(name)}{launch}")
    arch = CATALOGUE.find("a100").arch
    asked = {size: bytes_ for (of, size), bytes_ in compiled.items() if of == name}
    assert {*asked} == {*SIZES} <= {*shown}
    for size, bytes_ in asked.items():
        result = arch.occupancy(Need(size, 24, bytes_))
        assert shown[size] == (percent_text(result.percent) if result.groups else "no launch"), size


SHARED = """#define SIZE 64
// occupancy: regs=16
__global__ void k(float* p) { __shared__ float s[ARRAY]; s[threadIdx.x] = p[0]; __syncthreads(); p[0] = s[threadIdx.x ^ 1]; }
void run(float* p, int n) { k<<<(n + SIZE - 1) / SIZE, LAUNCHED>>>(p); }
"""  # noqa: E501


def test_a_kernel_of_the_audit() -> None:
    """4 KiB at 64 threads are 8 KiB at 128: 6 blocks, where 4 KiB would let 12 in."""
    shown = rows(SHARED.replace("ARRAY", "SIZE * 16").replace("LAUNCHED", "SIZE"), "sm_35")
    assert (shown[64], shown[128], shown[1024]) == ("37.5%", "37.5%", "no launch")


@pytest.mark.parametrize(
    ("array", "launched"),
    [
        ("64", "SIZE"),  # may be the size written out
        ("SIZE * 16", "64"),  # the array's number is not the launch's, though they are equal
        ("SIZE * 16", "dim3(8, 8)"),
        ("SIZE * 16", "SIZE * 2"),
        ("SIZE * 16", "n"),
    ],
)
def test_what_may_follow_the_size_is_left_out(array: str, launched: str) -> None:
    assert rows(SHARED.replace("ARRAY", array).replace("LAUNCHED", launched), "sm_35") == {}


def test_a_size_that_a_comment_states_has_no_number_to_follow() -> None:
    stated = SHARED.replace("regs=16", "regs=16 block=64").replace("ARRAY", "SIZE * 16").replace("LAUNCHED", "n")
    assert rows(stated, "sm_35") == {}
    assert rows(stated.replace("__shared__ float s[SIZE * 16];", "float s[64];"), "sm_35")[128] == "100%"


def test_dynamic_memory_that_follows_the_launch() -> None:
    source = """constexpr int N = 128;
    // occupancy: regs=40
    __global__ void k(float* p) { extern __shared__ float s[]; s[threadIdx.x] = p[0]; __syncthreads(); p[0] = s[1]; }
    void run(float* p, int n) { k<<<n, N, AMOUNT>>>(p); }
    """
    arch = CATALOGUE.find("a100").arch
    shown = rows(source.replace("AMOUNT", "N * 32 * sizeof(float)"))
    for size in (32, 64, 256, 384):
        assert shown[size] == percent_text(arch.occupancy(Need(size, 40, dynamic_local=size * 128)).percent)
    assert rows(source.replace("AMOUNT", "16384")) == {}


PLAIN = """// occupancy: regs=200
__global__ void BOUNDS k(float* p) { p[threadIdx.x] = 1; }
void run(float* p, int n) { k<<<n, 256>>>(p); }
"""


def test_sizes_that_bounds_or_the_compiler_s_registers_do_not_allow() -> None:
    free = rows(PLAIN.replace("BOUNDS", ""))
    assert (free[256], free[384], free[1024]) == ("12.5%", "no launch", "no launch")
    # With bounds of 512 threads the compiler may use 128 registers: the count of 200 is none of theirs.
    assert max(rows(PLAIN.replace("BOUNDS", "__launch_bounds__(256)"))) == 256
    assert rows(PLAIN.replace("BOUNDS", "__launch_bounds__(512)")) == {}
    fewer = PLAIN.replace("200", "64")
    assert max(rows(fewer.replace("BOUNDS", "__launch_bounds__(256)"))) == 1024
    assert max(rows(fewer.replace("BOUNDS", "__launch_bounds__(384)"))) == 384


def test_amd_s_compiler_builds_opencl_for_256_threads() -> None:
    """Larger groups of a kernel without a required size are refused: none is among its other or its best sizes."""
    kernel = "// occupancy: regs=SAID\n__kernel void k(__global float* p) { p[get_global_id(0)] = 1; }\n"
    assert max(rows(kernel.replace("SAID", "32 block=128"), "mi300x", "k.cl")) == 256
    assert max(rows(kernel.replace("SAID", "32 block=128"), "arc-b580", "k.cl")) == 1024
    view = OpenFile(
        Path("/nowhere/k.cl"),
        "",
        Text(kernel.replace("SAID", "32").encode()),
        Project(None, None, {"devices": ["mi300x"]}),
    ).view()
    assert view is not None and text_of(view.reports[0]) == "32 regs · 100% at 64, 128, 256"
    assert text_of(view_of("// occupancy: regs=32\n__global__ void k(float* p) { p[0] = 1; }\n").reports[0]) == (
        "100% at 64, 128, 256, 512, 1024"
    )
