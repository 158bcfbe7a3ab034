"""Where a falling staircase has its steps."""

from __future__ import annotations

from collections.abc import Callable


def largest(low: int, high: int, holds: Callable[[int], bool]) -> int | None:
    """The largest number of low..high for which `holds`, which must never hold again once it fails; None: nowhere."""
    below, above = low - 1, high + 1  # `bisect` takes no range that is longer than a machine's word
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (middle, above) if holds(middle) else (below, middle)
    return below if below >= low else None
