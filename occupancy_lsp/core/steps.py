"""Work in steps, between two of which anything else may be done."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

_T = TypeVar("_T")
Steps = Generator[None, None, _T]


def finished(steps: Steps[_T]) -> _T:
    """What they come to, all at once."""
    try:
        while True:
            next(steps)
    except StopIteration as end:
        found: _T = end.value
        return found
