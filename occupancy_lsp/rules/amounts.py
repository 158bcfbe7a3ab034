"""Amounts in the words of a message."""

from __future__ import annotations


def bytes_text(amount: int) -> str:
    """`48 KiB`, or bytes where it is no whole number of KiB."""
    return f"{amount // 1024} KiB" if amount >= 1024 and amount % 1024 == 0 else f"{amount} B"
