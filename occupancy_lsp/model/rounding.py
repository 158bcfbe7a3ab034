"""Allocation in whole units."""

from __future__ import annotations


def round_up(amount: int, unit: int) -> int:
    return -(-amount // unit) * unit
