"""Amounts as they are written on the command line."""

from __future__ import annotations

import argparse
import re
from math import prod

from occupancy_lsp.core.regex import regex
from occupancy_lsp.yamlfile.types import byte_size

_THREADS = regex(r"\d{1,9}(?:[x,]\d{1,9}){0,2}")


def threads(text: str) -> int:
    """256, 16x16 or 8,8,4."""
    if not _THREADS.fullmatch(text):
        raise argparse.ArgumentTypeError(f"expected threads, such as 256 or 16x16, not {text!r}")
    return prod(int(part) for part in re.split("[x,]", text))


def size(text: str) -> int:
    found = byte_size(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"expected bytes, such as 16384 or 16KiB, not {text!r}")
    return found
