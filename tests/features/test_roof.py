"""A kernel's place under the roofline in its hover: as a comment states it, and as a profile measured it."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.plain import plain
from tests.support import view_of

SOURCE = (
    "// occupancy: {}\n__global__ void k(float* p) {{ p[0] = 1; }}\nvoid run(float* p) {{ k<<<4096, 256>>>(p); }}\n"
)

# 2020 to 2026: a row of units below the header; `--set roofline` has the rates, `--metrics` the counts.
OPERATION = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"
RATES = {
    "launch__registers_per_thread": ("register/thread", "16"),
    **{f"{OPERATION.format(op)}.per_cycle_elapsed": ("inst/cycle", "0") for op in ("fadd", "dadd", "dmul", "dfma")},
    f"{OPERATION.format('fmul')}.per_cycle_elapsed": ("inst/cycle", "100"),
    f"{OPERATION.format('ffma')}.per_cycle_elapsed": ("inst/cycle", "200"),
    "smsp__cycles_elapsed.avg.per_second": ("cycle/nsecond", "1.5"),
    "dram__bytes.sum.per_second": ("Gbyte/second", "1,500"),
    "gpu__time_duration.sum": ("usecond", "20"),
}
COUNTS = {
    "launch__registers_per_thread": ("register/thread", "16"),
    **{OPERATION.format(op): ("inst", "0") for op in ("fadd", "fmul", "ffma", "dadd")},
    OPERATION.format("dmul"): ("inst", "1,000,000"),
    OPERATION.format("dfma"): ("inst", "2,000,000"),
    "dram__bytes_read.sum": ("Mbyte", "16"),
    "dram__bytes_write.sum": ("Mbyte", "4"),
    "gpu__time_duration.sum": ("us", "10"),
}


def raw(figures: dict[str, tuple[str, str]], launches: int = 1) -> str:
    head = ["ID", "Kernel Name", "Block Size", "Grid Size", "Device", "CC", *figures]
    units = ["", "", "", "", "", "", *(unit for unit, _ in figures.values())]
    row = ["0", "k(float *)", "(256, 1, 1)", "(4096, 1, 1)", "0", "9.0", *(value for _, value in figures.values())]
    return "\n".join(",".join(f'"{cell}"' for cell in cells) for cells in (head, units, *[row] * launches)) + "\n"


def said(stated: str, device: str = "h100", path: Path | None = None) -> list[str]:
    view = view_of(SOURCE.format(stated), device, path=path)
    found = hover(view, view.text.content.index(b"k(") + 1)
    assert found is not None
    lines = plain(found.prose).splitlines()
    return [line.removeprefix("- ") for line in lines if "Roofline" in line or "Measured" in line]


@pytest.mark.parametrize(
    ("stated", "device", "line"),
    [
        (
            "flops=3M bytes=12M",
            "h100",
            "Roofline as stated: 0.25 FLOP/B in fp32, bound by memory on H100 SXM5 (ridge at 20 FLOP/B), "
            "at most 837.5 GFLOPS",
        ),
        (
            "flops=2e9 bytes=1000000 precision=fp16_matrix",
            "l4",
            "Roofline as stated: 2000 FLOP/B in fp16_matrix, bound by arithmetic on L4 "
            "(ridge at 403.33 FLOP/B), at most 121 TFLOPS",
        ),
        ("flops=2G", "h100", "Roofline: also state bytes=N"),
        (
            "flops=1 bytes=1",
            "gtx-1080",
            "Roofline: the memory bandwidth and the FLOPS of GeForce GTX 1080 are not known",
        ),
        (
            "flops=1 bytes=1 precision=bf16",
            "rtx-5090",
            "Roofline: the peak of GeForce RTX 5090 in bf16 is not known, only in fp32",
        ),
    ],
)
def test_what_a_comment_states(stated: str, device: str, line: str) -> None:
    (found,) = said(stated, device)
    assert found.startswith(line)


def test_nothing_without_either() -> None:
    assert said("regs=40") == []


@pytest.mark.parametrize("stated", ["flops=0 bytes=1", "flops=many bytes=1", "flops=1 bytes=1 precision=fp8"])
def test_what_is_no_amount_is_reported(stated: str) -> None:
    view = view_of(SOURCE.format(stated))
    assert [it.code for it in diagnostics(view)] == ["occupancy-directive"]


def profiled(folder: Path, report: str) -> list[str]:
    (folder / "report.csv").write_text(report)
    (folder / ".occupancy.yaml").write_text('sidecars: ["*.csv"]\n')
    (folder / "k.cu").write_text(SOURCE.format("block=256"))
    return said("block=256", path=folder / "k.cu")


def test_a_report_with_rates(tmp_path: Path) -> None:
    """(100 + 2 * 200) per cycle at 1.5 GHz are 750 GFLOPS; with 1.5 TB/s 0.5 FLOP/B."""
    (line,) = profiled(tmp_path, raw(RATES))
    assert f"({tmp_path / 'report.csv'}:3): 0.5 FLOP/B in fp32, bound by memory on H100 SXM5" in line
    assert "at most 1.675 TFLOPS; it reached 750 GFLOPS, 44.78% of that" in line


def test_a_report_with_counts_of_several_launches(tmp_path: Path) -> None:
    """10^6 + 2 * 2 * 10^6 over 20 MB in 10 us: 0.25 FLOP/B, 500 GFLOPS; both launches together are no other."""
    one = profiled(tmp_path, raw(COUNTS))
    assert "0.25 FLOP/B in fp64" in one[0] and "it reached 500 GFLOPS, 59.7% of that" in one[0]
    assert profiled(tmp_path, raw(COUNTS, launches=2)) == one


@pytest.mark.parametrize(
    ("name", "unit", "value"),
    [
        ("dram__bytes_write.sum", "Mbyte", "4.096"),  # four thousand in another country
        ("dram__bytes_write.sum", "sector", "4"),
        ("dram__bytes_write.sum", "Mbyte", "n/a"),
    ],
)
def test_what_may_be_another_number_is_not_said(tmp_path: Path, name: str, unit: str, value: str) -> None:
    assert profiled(tmp_path, raw({**COUNTS, name: (unit, value)})) == []
