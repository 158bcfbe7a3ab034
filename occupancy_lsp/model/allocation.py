"""The registers that the hardware sets aside for those that a kernel asks for: rounded up, the driver's added."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Allocation:
    """Registers as the architecture counts them."""

    registers: int
    of: str = "thread"  # "thread" | "hardware thread" | "group"
    accumulators: int | None = None  # AMD, of one file with the others: those among `registers`
