"""Cubins as text, as the disassembler decuda writes them and the Haskell library's documentation describes them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.counts.formats import recognise, text_cubin
from tests.cli.support import occupancy
from tests.counts.damage import damaged
from tests.presets import CATALOGUE

CUBIN = b"""\
architecture {sm_13}
abiversion   {1}
modname      {cubin}
consts {
\t\tname    = reg
\t\tsegname = const
\t\tsegnum  = 0
\t\tbytes   = 4
\t\tmem {
\t\t\t0x12345678
\t\t}
}
code {
\tname = _Z5scalePf
\tlmem = 0
\tsmem = 2072
\treg  = 16
\tbar  = 1
\tbincode {
\t\t0x10004205 0x0023c780 0xa0000005 0x04000780
\t}
\tconst {
\t\t\tsegname = const
\t\t\tbytes   = 8
\t\t\treg = 99
\t}
}
code  {
\tname = other
\tlmem = 24
\tsmem = 28
\treg = 4
\tbar = 0
\tbincode  {
\t\t0xa0004c05 0x04200780
\t}
}
"""


def test_each_kernel_has_its_figures() -> None:
    assert [
        (it.kernel, it.line, it.arch, it.registers, it.static_local, it.barriers, it.stack)
        for it in recognise.read(CUBIN, "k.cubin").usages
    ] == [("_Z5scalePf", 13, "sm_13", 16, 2072, 1, 0), ("other", 28, "sm_13", 4, 28, 0, 24)]


def test_line_ends_of_windows() -> None:
    windows = recognise.read(CUBIN.replace(b"\n", b"\r\n"), "k.cubin").usages
    assert windows == recognise.read(CUBIN, "k.cubin").usages


def test_a_file_without_architecture_says_so() -> None:
    reading = text_cubin.read(CUBIN.replace(b"{sm_13}", b"{}"), "k.cubin")
    assert not reading.usages and "does not say its architecture" in reading.problems[0].message


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_what_is_damaged_raises_nothing(data: st.DataObject) -> None:
    for usage in text_cubin.read(data.draw(damaged(CUBIN)), "k.cubin").usages:
        assert usage.registers


def test_the_figure_of_a_kernel_beside_its_cubin(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """256 threads with 16 registers on cc 1.3: 4 blocks, 100% (the occupancy spreadsheet); 2072 bytes allow 7."""
    (tmp_path / "k.cu").write_text("__global__ void scale(float *x) { x[threadIdx.x] *= 2; }\n"
                                   "void h(float *x) { scale<<<1, 256>>>(x); }\n")  # fmt: skip
    (tmp_path / "k.cubin").write_bytes(CUBIN)
    assert CATALOGUE.find("sm_13")
    done = occupancy("check", tmp_path, "--hints", "--device", "sm_13")
    assert "100% · 4 blk/SM" in done.out
    more = CUBIN.replace(b"reg  = 16", b"reg  = 17")
    (tmp_path / "k.cubin").write_bytes(more)
    assert "75% · 3 blk/SM · regs" in occupancy("check", tmp_path, "--hints", "--device", "sm_13").out
