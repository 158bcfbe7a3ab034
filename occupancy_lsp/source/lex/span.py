"""From one byte of an item to another."""

from __future__ import annotations

from occupancy_lsp.core.record import Record


class Span(Record, frozen=True):
    start: int
    end: int
