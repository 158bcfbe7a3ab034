"""Sets that are kept by the thousand, most of which are empty."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

_T = TypeVar("_T")

EMPTY: frozenset[Any] = frozenset()


def frozen(members: Iterable[_T]) -> frozenset[_T]:
    """One object for all that are empty: `frozenset()` makes a new one of 216 bytes each time, since Python 3.10."""
    found: frozenset[_T] = frozenset(members)
    return found or EMPTY
