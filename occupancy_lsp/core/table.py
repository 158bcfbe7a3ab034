"""Text in columns: tables with aligned columns, and the labels at both ends of a chart's axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

_NONE: Mapping[int, int] = MappingProxyType({})


def padded(rows: Sequence[Sequence[str]], least: int = 0, longest: Mapping[int, int] = _NONE) -> list[list[str]]:
    """Every cell as wide as its column, which is at least `least` characters wide.

    `longest`: for some columns, counted from 0, the length beyond which a cell does not widen its column.
    """
    widths = [
        max(least, *(len(it) for it in column if len(it) <= longest.get(index, len(it))), 0)
        for index, column in enumerate(zip(*rows, strict=True))
    ]
    return [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]


def aligned(rows: Sequence[Sequence[str]], least: int = 0, longest: Mapping[int, int] = _NONE) -> list[str]:
    """A line for each row, its columns two blanks apart."""
    return ["  ".join(row).rstrip() for row in padded(rows, least, longest)]


def axis_ends(first: str, last: str, columns: int) -> str:
    """The labels under an axis of so many columns, one at each end."""
    return first + last.rjust(columns - len(first))
