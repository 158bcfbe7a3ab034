"""What Mesa's drivers print of shaders: `RADV_DEBUG=shaderstats`, `INTEL_DEBUG=cs`. It names no shader that could be
shown, so it is told that it was seen, and why it is not used.
"""

from __future__ import annotations

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.usage import Reading

_RADV = b"*** SHADER STATS ***"
_INTEL = regex(rb"Native code for .{1,200}? compute shader|SIMD\d{1,2} shader: \d{1,9} instructions")


def looks_like(data: bytes) -> bool:
    return _RADV in data or (b" shader" in data and _INTEL.search(data) is not None)


def read(data: bytes, path: str) -> Reading:
    """Never raises."""
    driver = "RADV" if _RADV in data else "Intel's driver"
    message = f"statistics of {driver} say of no shader whose it is, not used"
    return Reading(problems=(Problem(path, 0, 0, message),))
