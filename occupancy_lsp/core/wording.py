"""Numbers in the words of hints, hovers and messages."""

from __future__ import annotations

from collections.abc import Sequence


def percent_text(percent: float) -> str:
    """75%, 62.5% and 93.75%: as many decimals as it takes, at most two."""
    return f"{percent:.2f}".rstrip("0").rstrip(".") + "%"


def bytes_text(amount: int) -> str:
    """`48 KiB`, `17.25 KiB`; bytes where KiB would take more than three decimals, or for less than one."""
    if amount >= 1024 and amount % 128 == 0:
        return f"{amount / 1024:.3f}".rstrip("0").rstrip(".") + " KiB"
    return f"{amount} B"


def short_bytes(amount: int) -> str:
    """`96 B`, `2.5 KiB`: rounded to one decimal."""
    return f"{amount} B" if amount < 1024 else f"{amount / 1024:.1f}".removesuffix(".0") + " KiB"


def signed(number: int) -> str:
    """+8, +0 and −8, with a true minus sign."""
    return f"{number:+}".replace("-", "−")


def span_text(low: float, high: float) -> str:
    """`50–100%`, or one percentage where both are the same."""
    first, last = percent_text(low), percent_text(high)
    return last if first == last else f"{first.removesuffix('%')}–{last}"


def or_text(numbers: Sequence[int]) -> str:
    """`64, 128 or 256`."""
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last
