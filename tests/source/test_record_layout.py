"""Sizes of what declarators and classes make of types, held against nvcc 13.0 and g++."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from shutil import which

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines, with_annotation_macros
from tests.source.drawn_records import Drawn, sizes_by_compiler

_DATA = Path(__file__).parent.parent / "data" / "nvcc"
_CLAIM = re.compile(r"^__global__ void (\w+)\(.*// (\d+)$", re.MULTILINE)
# What the language's version decides, what host and device compilers lay out differently, and what is not read.
_OPEN = {
    "k_nua_2",
    "k_tail2_0",
    "k_tdfnm_0",
    "k_varsz_2",
    "k_varsz_3",
    "k_varsz_6",
    "k_dt_3",
    "k_dc_0",
    "k_pb_0",
    "k_bz_0",
    "k_twice_0",
    "k_paren_0",
    "kB1",
    "kD4",
    "kE3",
}
_FILES = ("declarators.cu", "records.cu", "member_macros.cu")


@cache
def _bounds(name: str) -> dict[str, tuple[int, int | None]]:
    text = (_DATA / name).read_bytes()
    kernels = (
        Source(text, with_annotation_macros(CUDA, macro_summary_lines(text))).facts({"__CUDA_ARCH__": 900}).kernels
    )
    return {it.name: (it.summary.local.lowest, it.summary.local.highest) for it in kernels}


def _claims(name: str) -> list[tuple[str, str, int]]:
    return [(name, match[1], int(match[2])) for match in _CLAIM.finditer((_DATA / name).read_text())]


@pytest.mark.parametrize(("file", "kernel", "size"), [it for file in _FILES for it in _claims(file)])
def test_the_compiler_gives_the_same_sizes(file: str, kernel: str, size: int) -> None:
    lowest, highest = _bounds(file)[kernel]
    if kernel in _OPEN:
        assert highest is None
    else:
        assert highest is not None
        assert lowest <= size <= highest < size + 16  # what is small may be kept in registers


def _said(drawn: Drawn) -> dict[str, tuple[int | None, int | None]]:
    use = "p[0] = a[threadIdx.x] + b[threadIdx.x];"
    kernels = "".join(
        f"__global__ void {it}_(char* p) {{ __shared__ char a[sizeof({it})], b[alignof({it})]; {use} }}\n"
        for it in drawn.names
    )
    facts = Source((drawn.text + kernels).encode(), CUDA).facts({"__CUDA_ARCH__": 900})
    each = ((it.name, {one.name: one.bytes.number for one in it.summary.local.variables}) for it in facts.kernels)
    return {name.removesuffix("_"): (sizes["a"], sizes["b"]) for name, sizes in each}


@pytest.mark.skipif(which("g++") is None, reason="needs g++")
@pytest.mark.parametrize("seed", range(3))
def test_classes_drawn_by_chance_have_the_sizes_of_the_compiler(seed: int, tmp_path: Path) -> None:
    drawn = Drawn(seed, 60)
    said, true = _said(drawn), sizes_by_compiler(drawn, tmp_path)
    known = {name: sizes for name, sizes in said.items() if None not in sizes}
    assert known == {name: true[name] for name in known}
    assert len(known) >= 0.85 * len(true)
