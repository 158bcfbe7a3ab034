"""What AMD's profilers say of a launch, whatever file they write it into, in the terms of `Usage`.

What the figures hold: ROCm rocprofiler-sdk, code_object.cpp. They are what the kernel descriptor encodes:

- Vector registers as they are allocated: the compiler's count rounded up to 4 (waves of 64, unified files) or 8 (waves
  of 32). It gives the same occupancy as the count. Not read where releases of the profiler took the encoding of another
  generation (gfx950, gfx1250).
- Accumulation registers with a unified file are what is left of the allocation, so up to 7 with none used; the first
  releases computed it wrongly, which shows in a sum that is no allocation.
- Scalar registers are an allocation on gfx8 and gfx9; elsewhere they limit nothing or are rounded too far.
"""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.usage import Usage

UNNAMED = "a trace does not say for which GPU it is: name the file for it, as in run.gfx90a_kernel_trace.csv"
GPU = regex(r"gfx[0-9]{1,2}[0-9a-f]{2}")  # an agent's name

_SUFFIX = regex(r"(?: ?\[clone \.kd\]| ?\(\.kd\)|\.kd)$")
_ENCODED_AS_THOUGHT = regex(r"gfx(?:[678]\d\d|90[0-9a-f]|94\d|1[01]\d\d|120\d)")
_SCALARS_LIMIT = regex(r"gfx(?:8\d\d|90[0-9a-f]|94\d)")
_UNIFIED = regex(r"gfx(?:90a|94\d)")
_MOST = 512  # vector registers that a thread can have, accumulators included
_MOST_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Launch:
    """As the tool writes it. None: not said."""

    kernel: str
    arch: str
    vectors: int | None = None
    accumulators: int | None = None
    scalars: int | None = None
    wave: int | None = None
    static_local: int | None = None  # bytes, as the code object says it
    scratch: int | None = None  # bytes per work-item
    group_size: int | None = None


def usage_of(launch: Launch, path: str, line: int = 0) -> Usage | None:
    """None: it has no kernel."""
    kernel = _SUFFIX.sub("", launch.kernel)
    if not kernel:
        return None
    registers = launch.vectors if _ENCODED_AS_THOUGHT.fullmatch(launch.arch) else None
    return Usage(
        kernel,
        "measured",
        path,
        line,
        launch.arch,
        registers=registers or None,
        accumulators=_accumulators(launch, registers) if registers else None,
        scalars=(launch.scalars or None) if _SCALARS_LIMIT.fullmatch(launch.arch) else None,
        sub_group=launch.wave if launch.wave in (32, 64) else None,
        static_local=launch.static_local,
        group_size=launch.group_size or None,
        stack=launch.scratch,
    )


def number(value: object) -> int | None:
    """Of a file that may be damaged: a count of registers or bytes."""
    return value if type(value) is int and 0 <= value <= _MOST_BYTES else None


def _accumulators(launch: Launch, registers: int) -> int | None:
    """On gfx908 the two files are as large as each other, and so are the counts; elsewhere there are none."""
    count = launch.accumulators
    if not _UNIFIED.fullmatch(launch.arch):
        return count if launch.arch == "gfx908" and count == registers else None
    whole_file = count is not None and (registers + count) % 8 == 0 and registers + count <= _MOST
    return count if whole_file else None
