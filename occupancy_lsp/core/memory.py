"""Memory that is no longer needed, given back to the system."""

from __future__ import annotations

import ctypes
import gc
import re
import sys
import urllib.parse

from occupancy_lsp.core.query import forget_remembered

# glibc's; looked up at once: what that makes would be in the way where memory is given back.
_C = ctypes.CDLL(None) if sys.platform == "linux" else None
_TRIM = getattr(_C, "malloc_trim", None)
_SET = getattr(_C, "mallopt", None)
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of malloc.h
_LARGE = 1 << 20  # bytes


def give_back_early() -> None:
    """From now on a block of a megabyte is given back when it is let go of, and what is free at the end beyond as much.

    Left alone, the C library raises both bounds with the largest block that was ever let go of, and keeps megabytes.
    """
    if _SET is not None:
        _SET(_MMAP_THRESHOLD, _LARGE)
        _SET(_TRIM_THRESHOLD, _LARGE)


def give_back() -> None:
    """After much was let go of, and before nothing soon: takes about a tenth of a second.

    Python gives a megabyte back only once nothing in it is in use, and one remembered answer in each is enough to keep
    all. So are what Python's own modules remember, and the names that its cache of attributes holds.
    """
    forget_remembered()
    re.purge()
    for forget in (getattr(urllib.parse, "clear_cache", None), getattr(sys, "_clear_type_cache", None)):
        if forget is not None:
            forget()
    gc.collect()
    if _TRIM is not None:
        _TRIM(0)
