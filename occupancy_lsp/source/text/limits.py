"""How much work one item of a text may make. What would need more is given up with the reason, and the rest goes on.

Work is counted in steps, never in seconds: the same text is always followed as far.
"""

from __future__ import annotations

TOO_DEEP = "nested too deeply to be followed"
TOO_LARGE = "too large to be followed"
GIVEN_UP = (TOO_DEEP, TOO_LARGE)
MOST_DEEP = 200  # of what stands in one another; people write up to some 60
MOST_STEPS = 20_000


class TooLarge(Exception):
    """More steps than one item may take."""


class Steps:
    """Those that are left."""

    def __init__(self, most: int = MOST_STEPS) -> None:
        self._left = most

    @property
    def left(self) -> int:
        return self._left

    def take(self, count: int = 1) -> None:
        if not self.left_after(count):
            raise TooLarge

    def left_after(self, count: int) -> bool:
        """Take some where nothing may be raised. Whether there were enough."""
        self._left -= count
        return self._left >= 0
