"""What hovers say would change the figure: bounds where no count is known, and an array's padding."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.session.view import View
from tests.support import view_of

TILE = """
{constants}
// occupancy: {stated}
__global__ void k(float* p) {{
    __shared__ {type} tile{extents};
    tile[threadIdx.x][1]{more} = p[0]; __syncthreads(); p[1] = tile[1][threadIdx.x]{more};
}}
"""


def said(view: View, token: str) -> list[str]:
    """The lines of the hover on the first place of `token` that tell what would change."""
    found = hover(view, view.text.content.index(token.encode()) + 1)
    assert found is not None
    return [line.removeprefix("- ") for line in markdown(found.prose).splitlines() if line.startswith("- ")]


def tile(extents: str, type_: str = "float", stated: str = "regs=32 block=256", constants: str = "") -> View:
    more = "[0]" * (extents.count("[") - 2)
    return view_of(TILE.format(extents=extents, type=type_, stated=stated, constants=constants, more=more))


def pads(view: View) -> list[str]:
    return [line for line in said(view, "tile[") if line.startswith("the pad")]


@pytest.mark.parametrize(
    ("extents", "type_", "constants", "pad"),
    [
        ("[32][33]", "float", "", (1, "128 B")),
        ("[32][32 + 1]", "float", "", (1, "128 B")),
        ("[128][33]", "float", "", (1, "512 B")),
        ("[B][B + 1]", "float", "constexpr int B = 16;", (1, "64 B")),
        ("[2][B][B + PAD]", "float", "#define B 64\n#define PAD 1\n", (1, "512 B")),
        ("[20][21]", "float", "", (1, "80 B")),
        ("[16][16 + 1]", "double", "", (1, "128 B")),
        ("[64][64 + 8]", "short", "", (8, "1 KiB")),
        ("[64][64 + 2]", "short", "", (2, "256 B")),
    ],
)
def test_a_pad_is_seen(extents: str, type_: str, constants: str, pad: tuple[int, str]) -> None:
    assert pads(tile(extents, type_, constants=constants)) == [f"the pad of {pad[0]} costs {pad[1]} but no block"]


@pytest.mark.parametrize(
    ("extents", "constants"),
    [
        ("[34][34]", ""),
        ("[B + 2][B + 2]", "#define B 32"),  # a stencil's rim
        ("[B + 1][B + 1]", "#define B 32"),
        ("[B][B + 2]", "#define B 32"),
        ("[B][B + 4]", "#define B 32"),
        ("[33][32]", ""),
        ("[32][64]", ""),
        ("[8][9]", ""),  # too short a row
        ("[32][N]", "constexpr int N = 33;"),  # what it is made for, the text does not show
    ],
)
def test_what_may_be_something_else_is_no_pad(extents: str, constants: str) -> None:
    assert pads(tile(extents, constants=constants)) == []


@pytest.mark.parametrize(
    ("padded", "plain", "line"),
    [
        ("[215][32 + 1]", "[215][32]", "the pad of 1 costs 860 B and a block: 7, 87.5%, not 8, 100%"),
        ("[6][1024 + 1]", "[6][1024]", "the pad of 1 costs 24 B but no block"),
    ],
)
def test_what_a_pad_costs_is_what_the_kernel_is_without_it(padded: str, plain: str, line: str) -> None:
    assert pads(tile(padded)) == [line]
    with_pad, without = (tile(it).reports[0] for it in (padded, plain))
    costs = groups(without) - groups(with_pad)
    assert costs == (1 if "and a block" in line else 0)


@given(st.integers(1, 340), st.sampled_from([16, 32, 64]), st.sampled_from([24, 40, 64, 128]))
def test_whatever_is_said_of_a_pad_is_so(rows: int, row: int, registers: int) -> None:
    stated = f"regs={registers} block=128"
    (line,) = pads(tile(f"[{rows}][{row} + 1]", stated=stated))
    with_pad, without = (
        groups(tile(it, stated=stated).reports[0]) for it in (f"[{rows}][{row}+1]", f"[{rows}][{row}]")
    )
    if line.endswith("but no block"):
        assert with_pad == without
    elif found := re.fullmatch(r".* and (a|\d+) blocks?: (\d+), .*, not (\d+), .*", line):
        assert (int(found[2]), int(found[3])) == (with_pad, without)
        assert {"a": 1}.get(found[1], 0) or int(found[1]) == without - with_pad


def groups(report: KernelReport) -> int:
    assert report.figure is not None and report.figure.lowest.groups == report.figure.highest.groups
    return report.figure.lowest.groups


def test_what_registers_may_hide_is_not_said() -> None:
    """Up to 7 blocks with the pad, 8 without; but how many registers there are is not known."""
    assert pads(tile("[215][32 + 1]", stated="block=256")) == ["the pad of 1 costs 860 B"]
    assert pads(tile("[32][33]", stated="block=256")) == ["the pad of 1 costs 128 B but no block"]


def test_without_a_size_it_costs_bytes() -> None:
    assert pads(tile("[32][33]", stated="regs=32")) == ["the pad of 1 costs 128 B"]


def test_other_bounds_where_no_count_is_known() -> None:
    source = "__global__ void __launch_bounds__(256, 4) k(float* p) { p[0] = 1; }"
    lines = said(view_of(source), "k(")
    assert "minBlocks 5 would cap registers at 48 (now 64)" in lines
    assert "minBlocks 3 would allow 80 registers (now 64)" in lines
    known = said(view_of(f"// occupancy: regs=40\n{source}"), "k(")
    assert not [line for line in known if line.startswith("minBlocks")]


def test_bounds_that_ask_for_nothing_yet() -> None:
    lines = said(view_of("__global__ void __launch_bounds__(1024) k(float* p) { p[0] = 1; }"), "k(")
    assert [line for line in lines if line.startswith("minBlocks")] == [
        "minBlocks 2 would cap registers at 32 (now 64)"
    ]


def test_bounds_of_hip_count_waves() -> None:
    source = "#include <hip/hip_runtime.h>\n__global__ void __launch_bounds__(256, 4) k(float* p) { p[0] = 1; }\n"
    lines = said(view_of(source, "mi300x"), "k(")
    assert "5 waves per SIMD would cap VGPRs at 96 (now 128)" in lines
    assert "3 waves per SIMD would allow 168 VGPRs (now 128)" in lines


def test_an_open_count_makes_it_a_bound() -> None:
    source = """
    __global__ void __launch_bounds__(256, 4) k(float* p) {
        __shared__ float t[8000]; t[threadIdx.x] = p[0]; __syncthreads(); p[1] = t[1];
    }
    """
    lines = [it for it in said(view_of(source), "k(") if "shared memory" in it]
    assert "27.5 KiB of shared memory → up to 8 blocks, 100%" in lines[:1]
    assert "more than 31.5 KiB of shared memory → at most 6 blocks, 75%" in lines
    assert said(view_of(source), "t[8000]") == lines[:2]


def test_a_pad_among_strictly_aligned_variables() -> None:
    """The sum is a multiple of 1024 bytes with and without it: whether it costs a block is not said."""
    aligned = "[215][32 + 1]; __shared__ __align__(1024) float other[256]; other[0] = p[3]; p[2] = other[1]"
    assert pads(tile(aligned)) == ["the pad of 1 costs 860 B"]


@pytest.mark.parametrize(
    ("extents", "smaller", "then"),
    [
        ("[67][67]", "[62][67]", "13 blocks fit, 81.25%"),
        ("[66][65]", "[64][65]", "13 blocks fit, 81.25%"),  # the pad stays
        ("[4420]", "[4216]", "13 blocks fit, 81.25%"),
    ],
)
def test_which_extent_is_near_a_step(extents: str, smaller: str, then: str) -> None:
    view = tile(extents, stated="regs=24 block=128")
    (line,) = [line for line in said(view, "tile[") if line.startswith("with ")]
    assert line.startswith(f"with `tile{smaller}`, ") and line.endswith(f"{then}: if the algorithm allows it")
    assert line in said(view, "k(float")
    (now,) = tile(smaller, stated="regs=24 block=128").reports
    assert now.figure is not None and now.figure.exact and f"{now.figure.highest.groups} blocks" in then


@pytest.mark.parametrize("extents", ["[64][64]", "[64][65]", "[96][96]", "[N]", "[20]"])
def test_no_extent_is_near_a_step(extents: str) -> None:
    view = tile(extents, stated="regs=24 block=128")
    assert not [line for line in said(view, "tile[") if line.startswith("with ")]
