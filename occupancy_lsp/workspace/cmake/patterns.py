"""CMake's regular expressions by Python's, where they are surely fast."""

from __future__ import annotations

import re

_MOST_PATTERN, _MOST_TEXT, _MOST_REPEATS = 120, 400, 3


def compiled(pattern: str, text: str) -> re.Pattern[str] | None:
    """To be tried on `text`; None: it could take long, or is none."""
    repeats = len(re.findall(r"[*+?]", pattern))
    if (
        len(pattern) > _MOST_PATTERN
        or len(text) > _MOST_TEXT
        or repeats > _MOST_REPEATS
        or re.search(r"\)[*+?]", pattern)
    ):
        return None
    try:
        return re.compile(pattern.replace("{", r"\{").replace("}", r"\}"))
    except (re.error, RecursionError):
        return None
