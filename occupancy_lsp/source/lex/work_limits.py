"""How much work one item of a text, and all kernels of a file, may make. What would need more is given up with the
reason, and the rest goes on.

Work is counted in steps, never in seconds: the same text is always followed as far.
"""

from __future__ import annotations

TOO_DEEP = "nested too deeply to be followed"
TOO_LARGE = "too large to be followed"
TOO_MANY = "too many instances to be followed"
TOO_MUCH = "more calls and instances than are followed in one file"
GIVEN_UP = (TOO_DEEP, TOO_LARGE)
MOST_DEEP = 200  # of what stands in one another; people write up to some 60
MOST_STEPS = 20_000
MOST_OF_FILE = 300_000  # steps of what its kernels reach, in all their instances: some five seconds
MOST_OF_KERNEL = 7_000  # of one instance of a kernel, which is worked out at once; people write up to some 250
_MOST_BYTES, _LONGEST_LINE = 500_000, 200_000  # of one item; people write up to some 100,000 and 5,000
_MOST_LINES = 100_000  # of a file; people write up to some 30,000


def is_file_too_large(content: bytes) -> bool:
    """Whether a file is the work of a program, as data is: what is kept of each line takes 100 times its bytes."""
    return len(content) > _MOST_LINES and content.count(b"\n") > _MOST_LINES


def is_item_too_large(code: bytes) -> bool:
    """Whether it is the work of a program, as a table is: its tree takes 150 times the memory that the text does."""
    if len(code) <= _LONGEST_LINE:
        return False
    return len(code) > _MOST_BYTES or any(len(it) > _LONGEST_LINE for it in code.splitlines())


class TooLarge(Exception):
    """More steps than one item may take."""


class StepBudget:
    """Those that are left."""

    def __init__(self, most: int = MOST_STEPS) -> None:
        self._left = most

    @property
    def left(self) -> int:
        return self._left

    def take(self, count: int = 1) -> None:
        if not self.try_take(count):
            raise TooLarge

    def try_take(self, count: int) -> bool:
        """Take some where nothing may be raised. Whether there were enough."""
        self._left -= count
        return self._left >= 0
