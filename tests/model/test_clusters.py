"""How many clusters fit on a device whose SMs stand in GPCs, against all ways of spreading them, counted one by one."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from occupancy_lsp.model.clusters import Parts, most_clusters

GH100 = Parts("GPCs", 8, 18, 2)


def by_hand(units: int, parts: Parts, per_unit: int, size: int) -> tuple[int, int] | None:
    sizes = range(0, parts.units + 1, parts.step)
    ways = (it for it in combinations_with_replacement(sizes, parts.count) if sum(it) == units)
    room = [sum(own * per_unit // size for own in way) for way in ways]
    return (min(room), max(room)) if room else None


@pytest.mark.parametrize("units", [132, 114, 78, 144, 12])
@pytest.mark.parametrize("per_unit", [1, 2, 3])
@pytest.mark.parametrize("size", [2, 3, 4, 8, 16])
def test_every_way_counts(units: int, per_unit: int, size: int) -> None:
    assert most_clusters(units, GH100, per_unit, size) == by_hand(units, GH100, per_unit, size)


@pytest.mark.parametrize("units", [146, 131])
def test_what_no_such_device_has(units: int) -> None:
    assert most_clusters(units, GH100, 1, 4) is None


def test_an_h100() -> None:
    """One block per SM, of the 132 that are left of 144: whole pairs always fit, sixteens as the SMs are spread."""
    assert most_clusters(132, GH100, 1, 2) == (66, 66)
    assert most_clusters(132, GH100, 1, 16) == (5, 8)
