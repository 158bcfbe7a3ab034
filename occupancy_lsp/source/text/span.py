"""From one byte of an item to another."""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    start: int
    end: int
