"""`chart`: a kernel of a file over its inputs; and `FILE:KERNEL`, wherever it is taken."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from occupancy_lsp.calculator.calculate import answer
from occupancy_lsp.cli.commands.kernel_argument import file_and_kernel
from tests.presets import CATALOGUE

from .support import occupancy

TWO = """\
namespace a { __global__ void __launch_bounds__(256) k(float *x) { x[threadIdx.x] = 1; } }
__global__ void open(float *x) { x[threadIdx.x] = 1; }
"""


def test_a_table() -> None:
    """matmul of 256 threads, of which its sidecar says 56 registers: as the calculator says at each step's end."""
    out = occupancy("chart", "examples/matmul.cu", "--over", "regs").out
    assert out.startswith("matmul on H100 SXM5. Occupancy over registers per thread: 50% at 56.\n")
    steps = [line.split("  ")[0].split(" to ") for line in out.splitlines()[3:]]
    assert len(steps) == 8
    find = CATALOGUE.find
    for _, last in steps:
        asked = {"device": "h100", "workgroup": 256, "registers": int(last), "static_local": 2048}
        said = answer(asked, find)
        line = next(it for it in out.splitlines() if f" to {last} " in it)
        assert line.split()[3:5] == [f"{said['groups']}", f"{said['percent']:g}%"]


def test_a_picture_of_two_devices() -> None:
    svg = occupancy("chart", "examples/matmul.cu:matmul", "--svg", "--beside", "rtx-4090").out
    assert "other" in {it.get("class") for it in ElementTree.fromstring(svg).iter()}


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("two.cu", "two.cu has several kernels: name one of a::k (line 1), open (line 2)."),
        ("two.cu:b::k", "two.cu: no kernel b::k in it."),
        ("two.cu:open", "open: its block size is not known: "),
        ("none.cu:k", "none.cu:k: no such file or folder."),
        (".", ". is a folder: name a source, or FILE:KERNEL."),
    ],
)
def test_what_cannot_be_drawn(tmp_path: Path, argument: str, said: str) -> None:
    (tmp_path / "two.cu").write_text(TWO)
    done = occupancy("chart", argument, cwd=tmp_path)
    assert done.status == 2 and f"occupancy-lsp: error: {said}" in done.err


def test_files_and_kernels_may_have_colons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("k.cu", "odd:name.cuh"):
        Path(name).touch()
    assert file_and_kernel("k.cu:a::k") == ("k.cu", "a::k")
    assert file_and_kernel("odd:name.cuh:k") == ("odd:name.cuh", "k")
    assert file_and_kernel("odd:name.cuh") == ("odd:name.cuh", "")
    assert file_and_kernel("gone.cu:k") == ("gone.cu:k", "")


def test_what_a_kernel_cannot_be_launched_with_is_not_drawn(tmp_path: Path) -> None:
    """Its bounds end the chart over sizes; a size that is fixed has none. Devices of other waves stand beside."""
    text = "// occupancy: regs=32\n__global__ void __launch_bounds__(512) k(float *x) { x[0] = 1; }\n"
    (tmp_path / "k.cu").write_text(text + "void f(float *x) { k<<<1, 256>>>(x); }\n")
    assert "481 to 512 " in occupancy("chart", "k.cu", cwd=tmp_path).out
    assert "513" not in occupancy("chart", "k.cu", cwd=tmp_path).out
    fixed = "__attribute__((reqd_work_group_size(64, 1, 1))) __kernel void k(__global float *x) { x[0] = 1; }\n"
    (tmp_path / "k.cl").write_text(fixed)
    said = occupancy("chart", "k.cl", "--device", "arc-a770", cwd=tmp_path)
    assert said.status == 2 and "its annotation fixes its work-group size" in said.err
    beside = occupancy(
        "chart", "k.cl", "--over", "shared", "--device", "arc-a770", "--beside", "mi300x", "--svg", cwd=tmp_path
    )
    assert beside.status == 0 and "other" in beside.out
    unseen = occupancy("chart", "k.cu", "--beside", "h100", cwd=tmp_path)
    assert unseen.status == 2 and "add --svg" in unseen.err
