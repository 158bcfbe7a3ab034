"""The roofline, and the budgets of full occupancy, whatever the device."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.calculator.roofline import amount, number, plot
from occupancy_lsp.model.full import budget, register_budget
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.roofline import Roofline, intensity
from tests.presets import CATALOGUE

ARCHITECTURES = sorted({it.arch.id: it.arch for it in CATALOGUE.all()}.values(), key=lambda arch: arch.id)
RATE = st.floats(1e6, 1e18)
INTENSITY = st.floats(1e-6, 1e9)


@given(RATE, RATE, INTENSITY)
def test_no_kernel_is_above_the_roof(peak: float, bandwidth: float, at: float) -> None:
    roof = Roofline("fp32", peak, bandwidth)
    assert roof.attainable(at) <= peak and roof.attainable(at) <= at * bandwidth
    assert roof.memory_bound(at) == (at < roof.ridge)


@given(RATE, RATE, INTENSITY, st.integers(1, 300))
def test_every_plot_shows_the_kernel_once(peak: float, bandwidth: float, at: float, width: int) -> None:
    lines = plot(Roofline("fp32", peak, bandwidth), at, width)
    assert sum(line.count("o") for line in lines[:11]) == 1
    assert all(len(line.rstrip()) <= max(width, 76) for line in lines)


@pytest.mark.parametrize(("operations", "moved"), [(0, 1), (1, 0), (-1, 1)])
def test_there_is_no_intensity_without_operations_and_bytes(operations: float, moved: float) -> None:
    with pytest.raises(ValueError):
        intensity(operations, moved)


def test_numbers_are_short() -> None:
    assert [number(it) for it in (1555.4, 12.539, 6.2379, 0.25, 0.001953125)] == [
        "1555",
        "12.54",
        "6.238",
        "0.25",
        "0.001953",
    ]
    assert [amount(it) for it in (19.5e12, 388.75e9, 12, 2e3)] == ["19.5 T", "388.75 G", "12 ", "2 k"]


@pytest.mark.parametrize("arch", ARCHITECTURES, ids=lambda arch: arch.id)
def test_the_budgets_are_the_last_that_keep_full_occupancy(arch) -> None:  # type: ignore[no-untyped-def]
    registers = register_budget(arch)
    sizes = [arch.sub_group_size << power for power in range(11)]
    sizes = [size for size in sizes if arch.occupancy(Need(size)).groups]
    if registers is not None:
        best = max(arch.occupancy(Need(size)).percent for size in sizes)
        assert max(arch.occupancy(Need(size, registers)).percent for size in sizes) == best
        assert max(arch.occupancy(Need(size, registers + 1)).percent for size in sizes) < best
    most = budget(arch, Need(sizes[-1], 255, 10**9))
    assert most is not None and most.percent == arch.occupancy(Need(sizes[-1])).percent
    assert arch.occupancy(Need(sizes[-1], most.registers, dynamic_local=most.local)).groups == most.groups > 0
    assert arch.occupancy(Need(sizes[-1], most.registers, dynamic_local=most.local + 1)).groups < most.groups
    if most.registers is not None:
        assert arch.occupancy(Need(sizes[-1], most.registers + 1)).groups < most.groups
    assert budget(arch, Need(sizes[-1]), most.groups + 1) is None
