"""Every row of Intel's calculator and of ocloc's kernels, exactly. All rows apply.

The calculator's rows are asked in its own variant. What ocloc compiled is joined with the driver's rule; its GRF modes,
SIMD widths and threads per EU are the compiler's answers.
"""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.intel.arch import IntelArch
from tests.presets import CATALOGUE

from .conftest import Validated

_DATA = Path(__file__).parent.parent / "data" / "intel"


@cache
def arch(name: str) -> IntelArch:
    found = CATALOGUE.find(name).arch
    assert isinstance(found, IntelArch)
    return found


def rows(name: str) -> Iterator[dict[str, str]]:
    with gzip.open(_DATA / f"{name}.csv.gz", "rt", newline="") as text:
        yield from csv.DictReader(text)


def test_the_calculator(validated: Validated) -> None:
    seen: Counter[str] = Counter()
    for row in rows("calculator"):
        need = Need(
            group_size=int(row["wg"]),
            static_local=int(row["slm_kb_in"]) * 1024,
            barriers=int(row["barrier"]),
            sub_group=int(row["sg"]),
            grf=256 if row["large_grf"] == "1" else None,
            variant="calculator",
        )
        target = arch(row["target"])
        result = target.occupancy(need)
        assert result.groups == int(row["wg_per_core"]), row
        assert result.sub_groups == result.groups * int(row["threads_per_wg"]), row
        assert round(result.percent, 4) == float(row["occupancy_pct"]), row
        if need.static_local:
            assert target.local_taken(need.static_local) == int(row["slm_kb_rounded"]) * 1024, row
        seen[row["target"]] += 1
    assert seen == {
        "gen9": 613,
        "gen11": 611,
        "gen12": 829,
        "xe_dg1": 798,
        "xe_lpg": 1_043,
        "xe_hp_ats": 1_044,
        "xe_hpg_dg2_arc": 1_049,
        "xe_hpc_pvc": 1_682,
        "xe2_lpg": 852,
        "xe2_hpg": 855,
    }
    validated("Intel", "Intel's GPU Occupancy Calculator", seen.total())


def test_what_ocloc_compiles(validated: Validated) -> None:
    seen: Counter[str] = Counter()
    for row in rows("ocloc-kernels"):
        need = Need(
            group_size=int(row["wg"]),
            static_local=int(row["slm_bytes"]),
            barriers=int(row["barriers"]),
            sub_group=int(row["simd"]),
            grf=int(row["grf"]),
        )
        target = arch(row["device"])
        result = target.occupancy(need)
        threads = target.hardware_threads(need.grf)
        assert threads == int(row["threads_per_core"]) == target.eus_per_unit * int(row["eu_threads"]), row
        limits = {
            "lim_threads": result.limits.sub_groups,
            "lim_slm": result.limits.local_memory,
            "lim_barriers": result.limits.barriers,
            "groups": result.groups,
        }
        assert limits == {column: int(row[column]) if row[column] else None for column in limits}, row
        assert (result.limits.groups, result.limits.registers) == (None, None), row
        assert (result.limiters, row["limiter"]) == (("sub_groups",), "threads"), row
        assert f"{result.percent:.2f}" == row["occ_pct_of_max"], row
        assert f"{100 * result.sub_groups / threads:.2f}" == row["occ_pct_of_mode"], row
        assert target.local_taken(need.static_local or 1) == max(int(row["slm_alloc_kb"]), 1) * 1024, row
        seen[target.id] += 1
    assert sum(seen.values()) == 460
    assert seen == {
        "gen9": 32,
        "gen11": 16,
        "xe_lp": 56,
        "xe_hpg": 29,
        "xe_hpg_g11": 16,
        "xe_lpg": 24,
        "xe_lpg_plus": 24,
        "xe_hpc": 61,
        "xe2": 29,
        "xe2_lpg": 29,
        "xe3": 78,
        "xe3p": 34,
        "xe3p_xpc": 32,
    }
    validated("Intel", "ocloc: kernels compiled for 13 targets, with the driver's rule", seen.total())


@pytest.mark.parametrize(
    ("device", "rows_of_work", "groups", "percent"),
    [
        ("xe_hpc", 1, 16, 100.0),
        ("xe_hpc", 2, 8, 100.0),
        ("xe_hpc", 3, 5, 93.75),
        ("xe_hpc", 4, 4, 100.0),
        ("xe_hpc", 5, 3, 93.75),
        ("xe_hpc", 6, 2, 75.0),
        ("xe_hpc", 7, 2, 87.5),  # published as 89.5%: 2 * 28 of 64 threads are 87.5%
        ("xe_hpc", 8, 2, 100.0),
        ("xe_hpc", 9, 0, 0.0),
        ("xe_lp", 1, 7, 100.0),
        ("xe_lp", 2, 3, 85.71),
        ("xe_lp", 3, 2, 85.71),
        ("xe_lp", 4, 1, 57.14),
        ("xe_lp", 5, 0, 0.0),
    ],
)
def test_the_optimization_guides_tables(device: str, rows_of_work: int, groups: int, percent: float) -> None:
    """The oneAPI GPU training's work-groups of (1, R, 128): SIMD32 on Max, SIMD8 on Tiger Lake."""
    for variant in ("driver", "calculator"):
        width = 32 if device == "xe_hpc" else 8
        result = arch(device).occupancy(Need(rows_of_work * 128, sub_group=width, variant=variant))
        assert (result.groups, round(result.percent, 2)) == (groups, percent)
