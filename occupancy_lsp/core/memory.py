"""Memory that is no longer needed, given back to the system."""

from __future__ import annotations

import ctypes
import gc
import re
import sys
import urllib.parse

from occupancy_lsp.core.query import forget_remembered


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
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's
        if trim is not None:
            trim(0)
