"""OCC307: against what CUDA's own cuda_occupancy.h says of barriers, and Intel's driver."""

from __future__ import annotations

import csv
import gzip
import re
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.rules.barriers_limit_groups import RULE
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from tests.support import view_of

_DATA = Path(__file__).parents[1] / "data" / "nvidia"
_OTHERS = ("lim_warps", "lim_blocks", "lim_regs", "lim_smem")


def rows() -> dict[str, list[dict[str, str]]]:
    """By architecture: what the header says of kernels with barriers that opted in, at its own carve-out."""
    found = []
    for path in sorted(_DATA.glob("cuda_occupancy-*.csv.gz")):
        with gzip.open(path, "rt") as file:
            found += [
                row | {"arch": "sm_" + row["cc"].replace(".", "")}
                for row in csv.DictReader(file)
                if row["bars"] != "0" and (row["carveout"], row["optin"], row["status"]) == ("-1", "1", "ok")
                if row["cc"] != "10.7"  # an estimate: never a finding
                if (row["cc"], path.name) != ("10.3", "cuda_occupancy-13.0.csv.gz")  # 64 until 13.2, 32 since
            ]
    found.sort(key=lambda row: row["arch"])
    return {arch: list(each)[:400] for arch, each in groupby(found, key=lambda row: row["arch"])}


ROWS = rows()


def declared(folder: Path, arch: str) -> dict[str, str]:
    """The rule's messages by kernel, for a file with a kernel for each row."""
    kernels, counts = [], ["kernels:"]
    for number, row in enumerate(ROWS[arch]):
        said = f"block={row['threads']} shared={row['static_smem']} dynamic_shared={row['dyn_smem']}"
        kernels.append(f"// occupancy: {said}\n__global__ void k{number}(float* p) {{ p[0] = 1; }}\n")
        counts.append(f"  k{number}: {{{arch}: {{registers: {row['regs']}, barriers: {row['bars']}}}}}")
    (folder / "k.cu.occupancy.yaml").write_text("\n".join(counts) + "\n")
    view = view_of("".join(kernels), arch, path=folder / "k.cu")
    found = [it for it in diagnostics(view) if it.code == "OCC307"]
    return {view.text.content[it.start : it.end].decode(): it.message for it in found}


@pytest.mark.parametrize("arch", sorted(ROWS))
def test_exactly_where_nvidias_header_finds_barriers_alone_to_limit(tmp_path: Path, arch: str) -> None:
    found = declared(tmp_path, arch)
    alone = {
        f"k{number}": row
        for number, row in enumerate(ROWS[arch])
        if float(row["lim_bars"]) < min(float(row[it]) for it in _OTHERS)
    }
    assert found.keys() == alone.keys() and bool(alone) == (int(arch[3:]) >= 90)
    for name, row in alone.items():
        start = f"{row['bars']} barrier{'s' * (row['bars'] != '1')} per block, an SM has "
        assert found[name].startswith(start) and len(found[name]) <= 100
        assert re.search(rf": {row['blocks']} (?:block is|blocks are) resident \(", found[name])


def opened(folder: Path, name: str, text: str, counts: str, device: str) -> View:
    (folder / name).write_text(text)
    (folder / f"{name}.occupancy.yaml").write_text(counts)
    project = Project(folder, None, {"devices": [device]})
    project.scan(lambda: False, lambda done, total: None)
    view = OpenFile(folder / name, "", Text(text.encode()), project).view()
    assert view is not None
    return view


def messages(view: View) -> list[str]:
    return [it.message for it in diagnostics(view) if it.code == "OCC307"]


CUDA = "// occupancy: block=64\n__global__ void k(float* p) { p[0] = 1; }\n"


@pytest.mark.parametrize(
    ("barriers", "expected"),
    [
        (16, ["16 barriers per block, an SM has 64: 4 blocks are resident (12.5%); ≤ 12 would allow 5"]),
        (3, ["3 barriers per block, an SM has 64: 21 blocks are resident (65.62%); ≤ 2 would allow 32"]),
        (2, []),  # as many as an SM holds blocks
        (65, []),  # nothing fits: the launch fails, which is no advice
    ],
)
def test_named_barriers(tmp_path: Path, barriers: int, expected: list[str]) -> None:
    counts = f"kernels: {{k: {{sm_90: {{registers: 16, barriers: {barriers}}}}}}}\n"
    assert messages(opened(tmp_path, "k.cu", CUDA, counts, "sm_90")) == expected


def test_where_the_figure_is_open_or_intended(tmp_path: Path) -> None:
    counts = "kernels: {k: {sm_90: {registers: 16, barriers: 16}}}\n"
    for other in (CUDA.replace("block=64", ""), CUDA.replace("block=64", "block=64 intended")):
        assert messages(opened(tmp_path, "k.cu", other, counts, "sm_90")) == []
    ignored = CUDA.replace("block=64", "block=64\n// occupancy: ignore[OCC307] roles")
    assert diagnostics(opened(tmp_path, "k.cu", ignored, counts, "sm_90")) == []
    assert messages(opened(tmp_path, "k.cu", CUDA, counts, "sm_86")) == []
    assert messages(opened(tmp_path, "k.cu", CUDA, counts.replace("registers: 16, ", ""), "sm_90")) == []
    assert messages(opened(tmp_path, "k.cu", CUDA, counts.replace("16, b", "255, b"), "sm_90")) == []


OPENCL = """
__kernel __attribute__((reqd_work_group_size({0}, 1, 1))) __attribute__((intel_reqd_sub_group_size(16)))
void k(__global float* p) {{ p[get_global_id(0)] *= 2; }}
"""


@pytest.mark.parametrize(
    ("device", "threads", "barriers", "expected"),
    [
        (
            "xe_hpc", 16, 1,
            ["1 barrier per work-group, an Xe-core has 32: 32 work-groups are resident (50%); none would allow 64"],
        ),
        (
            "xe_hpc", 64, 4,
            ["4 barriers per work-group, an Xe-core has 32: 8 work-groups are resident (50%); ≤ 3 would allow 10"],
        ),
        ("xe_hpc", 32, 1, []),  # hardware threads limit, too
        ("xe_hpc", 16, 0, []),
        (
            "gen9", 16, 1,
            ["1 barrier per work-group, a subslice has 32: 32 work-groups are resident (57.14%); none would allow 56"],
        ),
    ],
)  # fmt: skip
def test_opencl_on_intel(tmp_path: Path, device: str, threads: int, barriers: int, expected: list[str]) -> None:
    counts = f"kernels: {{k: {{{device}: {{barriers: {barriers}}}}}}}\n"
    assert messages(opened(tmp_path, "k.cl", OPENCL.format(threads), counts, device)) == expected


def test_where_the_compiler_may_still_choose_the_sub_group_size(tmp_path: Path) -> None:
    """32 threads: 64 groups of one hardware thread, or 32 of two, which fill the unit, too."""
    text = OPENCL.format(32).replace("intel_reqd_sub_group_size(16)", "unused")
    counts = "kernels: {k: {xe_hpc: {barriers: 1}}}\n"
    assert messages(opened(tmp_path, "k.cl", text, counts, "xe_hpc")) == []


def test_counts_that_are_not_fresh(tmp_path: Path) -> None:
    """On Intel registers, which limit nothing, are always known; barriers are not."""
    view = opened(tmp_path, "k.cl", OPENCL.format(16), "kernels: {k: {xe_hpc: {barriers: 1}}}\n", "xe_hpc")
    (report,) = view.reports
    (counted,) = report.counted
    for freshness, times in (("fresh", 1), ("maybe", 0), ("stale", 0)):
        older = replace(report, counted=(replace(counted, freshness=freshness),))
        assert len(list(RULE.check(older))) == times
