"""How a launch fills a whole Intel GPU, as Intel's GPU Occupancy Calculator and optimization guide count it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import ceil

from occupancy_lsp.model.occupancy import Occupancy


@dataclass(frozen=True, slots=True)
class Launch:
    """Percentages are of hardware threads. `waves`: how often the launch fills the device, 1.07 times for instance."""

    waves: float
    unit_percent: float  # of the unit that holds most, at the fullest moment
    device_percent: float  # of the whole device at the fullest moment
    average_percent: float  # of the whole device, over the waves as if each took equally long


def launch(point: Occupancy, units: int, groups: int, variant: str = "driver") -> Launch | None:
    """`groups` > 0 work-groups on `units` > 0 subslices or Xe-cores that each hold `point`; None: not one group fits.

    The guide fills one unit before the next: eight groups of which seven fit make one unit full. The "calculator"
    rounds the waves to two decimals before it averages: 1.07 waves give 53.5%.
    """
    if units <= 0 or groups <= 0:
        raise ValueError("a launch has at least one group, a device at least one unit")
    if point.groups == 0:
        return None
    at_once = point.groups * units
    threads, held = point.sub_groups // point.groups, units * point.max_sub_groups
    waves = groups / at_once
    counted = _two_decimals(waves) if variant == "calculator" else waves
    rounds = max(1, ceil(counted))
    return Launch(
        waves=waves,
        unit_percent=100.0 * min(groups, point.groups) * threads / point.max_sub_groups,
        device_percent=100.0 * min(groups, at_once) * threads / held,
        average_percent=counted * point.percent / rounds,
    )


def _two_decimals(value: float) -> float:
    """As JavaScript's toFixed(2): the nearest, of the two nearest the larger."""
    return float(Decimal(value).quantize(Decimal("0.01"), ROUND_HALF_UP))
