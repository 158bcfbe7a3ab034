"""How a grid fills a device."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.model.fill import Fill, device_fill


@pytest.mark.parametrize(
    ("grid", "per_unit", "units", "rounds", "tail", "average"),
    [
        (30, 6, 5, 1, 30, 1.0),  # the example of the Occupancy calculator notebook: 5 CUs * 6 work-groups
        (31, 6, 5, 2, 1, 31 / 60),
        (1, 6, 5, 1, 1, 1 / 30),
        (29, 6, 5, 1, 29, 29 / 30),
        (112, 2, 56, 1, 112, 1.0),  # Intel Max 1100: 112 groups of 1024 with SIMD32 fill the GPU
        (56, 2, 56, 1, 56, 0.5),
    ],
)
def test_rounds_and_their_tail(grid: int, per_unit: int, units: int, rounds: int, tail: int, average: float) -> None:
    fill = device_fill(grid, per_unit, units)
    assert fill is not None
    assert (fill.per_round, fill.rounds, fill.tail) == (per_unit * units, rounds, tail)
    assert fill.average_fraction == pytest.approx(average)


def test_what_does_not_fit_fills_nothing() -> None:
    assert device_fill(8, 0, 4) is None
    for grid, per_unit, units in ((0, 1, 1), (1, 1, 0), (1, -1, 1)):
        with pytest.raises(ValueError):
            device_fill(grid, per_unit, units)


@given(st.integers(1, 10**9), st.integers(1, 64), st.integers(1, 512))
def test_whatever_the_grid_its_rounds_add_up(grid: int, per_unit: int, units: int) -> None:
    fill = Fill(grid, per_unit, units)
    assert (fill.rounds - 1) * fill.per_round + fill.tail == grid
    assert 0 < fill.tail <= fill.per_round
    assert 0 < fill.average_fraction <= 1
