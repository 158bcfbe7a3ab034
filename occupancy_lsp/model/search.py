"""Where a falling staircase has its steps."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable


def largest(low: int, high: int, holds: Callable[[int], bool]) -> int | None:
    """The largest number of low..high for which `holds`, which must never hold again once it fails; None: nowhere."""
    below = bisect_left(range(low, high + 1), True, key=lambda number: not holds(number))
    return low + below - 1 if below else None
