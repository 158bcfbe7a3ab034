"""The kinds of value that a YAML file may hold beyond int, float, str and bool, and how their text is read."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from datetime import date
from typing import Annotated, Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex

LARGEST = 2**40  # nothing a device or a kernel has comes near; keeps a typing error from costing memory or time

Bytes = Annotated[int, "bytes"]  # a size: 49152, 48KiB, "1.5 MiB"
Count = Annotated[int, "count"]  # 0 or more
Positive = Annotated[int, "positive"]  # 1 or more
Percent = Annotated[float, "percent"]  # 0 to 100, with or without the sign
Rate = Annotated[float, "rate"]  # more than 0
Code = Annotated[str, "code"]  # of a rule: OCC101
Day = Annotated[date, "day"]  # 2027-03-31
Verified = Literal["vendor calculator", "compiler", "document", "estimate"]  # against what a preset was checked
Precision = Literal[
    "fp64", "fp32", "tf32", "bf16", "fp16", "fp64_matrix", "fp32_matrix", "tf32_matrix", "bf16_matrix", "fp16_matrix"
]
Line = Annotated[int, "line"]  # no key of the file: the reader fills in where the mapping stands, from 1

_SIZE = regex(r"(\d{1,15}(?:\.\d{1,9})?)\s*(b|bytes|kib|mib|gib)?", re.IGNORECASE)
_POWERS = {"": 0, "b": 0, "bytes": 0, "kib": 10, "mib": 20, "gib": 30}


@dataclass(frozen=True, slots=True)
class Placed:
    """A text and where it stands: for what is understood later, so that its faults can still be placed."""

    text: str
    line: int
    column: int


def byte_size(text: str) -> int | None:
    """Bytes meant by `49152`, `48KiB`, `1.5 MiB`; None if not whole. KB is refused: 1000 or 1024?"""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        return None
    size = float(match[1]) * (1 << _POWERS[(match[2] or "").lower()])
    return int(size) if size.is_integer() and size <= LARGEST else None


def whole_number(text: str, least: int = -LARGEST) -> int | None:
    """`64`, `1_024`, `0x40`. A leading zero is refused: YAML 1.1 would read it as octal."""
    try:
        value = int(text, 0) if len(text) <= 32 else None
    except ValueError:
        return None
    return value if value is not None and least <= value <= LARGEST else None


def real_number(text: str) -> float | None:
    """A finite number."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def percentage(text: str) -> float | None:
    """`50`, `62.5%`: from 0 to 100."""
    value = real_number(text.strip().removesuffix("%"))
    return value if value is not None and 0 <= value <= 100 else None


def rate(text: str) -> float | None:
    """A number above 0, up to the largest that anything is."""
    value = real_number(text)
    return value if value is not None and 0 < value <= LARGEST else None


def day(text: str) -> date | None:
    """`2027-03-31`."""
    try:
        return date.fromisoformat(text) if len(text) == len("2027-03-31") else None
    except ValueError:
        return None


def rule_code(text: str) -> str | None:
    if text in ("occupancy-directive", "occupancy-lost"):
        return text
    return text.upper() if re.fullmatch(r"OCC\d{3}", text, re.IGNORECASE) else None


def nearest(word: str, words: Iterable[str], count: int = 1) -> list[str]:
    """The most similar of `words`, best first, whatever their case; empty when none is near."""
    from difflib import get_close_matches  # only faults need it, and it costs at start-up

    known = {w.lower(): w for w in words}
    return [known[w] for w in get_close_matches(word.lower()[:80], known, count)]


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """A sentence's end: `, did you mean 'x'?`, or nothing."""
    near = nearest(word, words)
    return f", did you mean '{near[0]}'?" if near else ""
