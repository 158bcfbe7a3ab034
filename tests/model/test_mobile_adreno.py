"""Adreno against Mesa's Turnip: every row it printed, and the rule where rows do not reach."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.qualcomm.arch import AdrenoArch, max_waves
from tests.presets import CATALOGUE

from .conftest import Validated

with (Path(__file__).parents[1] / "data" / "adreno" / "turnip.csv").open(encoding="utf-8", newline="") as _file:
    ROWS = list(csv.DictReader(_file))


def arch(name: str) -> AdrenoArch:
    found = CATALOGUE.find(name).arch
    assert isinstance(found, AdrenoArch)
    return found


def test_every_row_is_turnips(validated: Validated) -> None:
    """All 120 rows apply: none spills to private memory (stp) or uses half registers beyond the full ones."""
    assert len(ROWS) == 120
    for row in ROWS:
        gpu, need = arch(f"adreno-{row['gpu']}"), Need(int(row["wg"]), int(row["full_vec4_regs"]), int(row["shared"]))
        result = gpu.occupancy(need)
        said = (int(row["subgroup"]), int(row["max_waves"]))
        assert (gpu.width(need), max_waves(gpu, need)) == said, row
        assert min((gpu.per_limiter(need) or {}).values()) == said[1]
        assert result.sub_groups == said[1] and result.fault is None, row
    validated("Qualcomm", "Mesa Turnip: compiled for six Adreno GPUs", len(ROWS))


@pytest.mark.parametrize(
    ("device", "need", "waves", "groups"),
    [
        ("adreno-730", Need(128, 17), 4, 2),
        ("adreno-730", Need(128, 5, 16384), 4, 2),
        ("adreno-730", Need(768, 6), 16, 2),  # 6 waves each; waves of a third work-group fill the rest
        ("adreno-730", Need(768, 6, barriers=1), 12, 2),
        ("adreno-650", Need(256, 33), 2, 1),  # too many registers for wide waves
        ("adreno-610", Need(128, 25), 1, 1),  # runs one wave after the other
        ("adreno-610", Need(128, 8), 6, 3),
        ("adreno-730", Need(64, 5, sub_group=128), 16, 8),  # qcom_reqd_sub_group_size("full")
    ],
)
def test_by_rule(device: str, need: Need, waves: int, groups: int) -> None:
    result = arch(device).occupancy(need)
    assert (result.sub_groups, result.groups) == (waves, groups)


def test_what_cannot_launch_says_what_could() -> None:
    gpu = arch("adreno-650")
    tight = gpu.occupancy(Need(1024, 20, barriers=1))
    assert tight.fault and (tight.fault.resource, tight.fault.allows) == ("registers_per_thread", 8)
    assert gpu.occupancy(Need(1024, 8, barriers=1)).groups == 1
    many = gpu.occupancy(Need(64, 49))
    assert many.fault and (many.fault.resource, many.fault.allows) == ("registers_per_thread", 48)
    assert gpu.occupancy(Need(128, 4, 32769)).fault and gpu.occupancy(Need(2049, 4)).fault
