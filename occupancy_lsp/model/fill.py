"""How a grid fills a device: rounds of work-groups that are resident together, and how full the last one is.

A round is what others call a wave of work-groups; the word is kept for AMD's and Qualcomm's sub-groups.
Source of the rule: work-groups stay on the compute unit where they started, so a device of U units that hold G
work-groups each runs a grid in ceil(grid / (U * G)) rounds when all work-groups take equally long.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fill:
    """A grid of `grid` work-groups on `units` compute units that hold `per_unit` work-groups each; all at least 1."""

    grid: int
    per_unit: int
    units: int

    @property
    def per_round(self) -> int:
        """Work-groups that the whole device holds at once: the smallest grid that fills it."""
        return self.per_unit * self.units

    @property
    def rounds(self) -> int:
        return -(-self.grid // self.per_round)

    @property
    def tail(self) -> int:
        """Work-groups of the last round: as many as fit when it is full."""
        return self.grid - (self.rounds - 1) * self.per_round

    @property
    def average_fraction(self) -> float:
        """How full the device is over all rounds, over 0 to 1."""
        return self.grid / (self.rounds * self.per_round)


def device_fill(grid: int, per_unit: int, units: int) -> Fill | None:
    """How a grid fills the device; None: not one work-group fits a unit. ValueError: no grid, no units."""
    if grid < 1 or units < 1 or per_unit < 0:
        raise ValueError(f"a grid has work-groups and a device units, not {grid} and {units} of {per_unit}")
    return Fill(grid, per_unit, units) if per_unit else None
