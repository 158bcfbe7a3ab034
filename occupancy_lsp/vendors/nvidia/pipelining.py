"""Shared memory of a pipelined loop around one `tl.dot`, as Triton 3.9.0 lays it out (docs/validation.md#triton)."""

from __future__ import annotations

from occupancy_lsp.vendors.nvidia.arch import NvidiaArch

_BARRIERS = 16  # bytes, which tensor cores with memory of their own wait at
_BY_WARPS = ("sm_80", "sm_86", "sm_89", "sm_120", "sm_121")
_BY_GROUPS = {"sm_90": 0, "sm_100": _BARRIERS, "sm_103": _BARRIERS, "sm_107": _BARRIERS, "sm_110": _BARRIERS}
_GROUP = 128  # threads that multiply together from shared memory
_ROWS = 64  # that they do at least


def pipelined_local(arch: NvidiaArch, tile: int, rows: int, stages: int, threads: int) -> int | None:
    """Bytes of a block of so many threads; `tile`: of both operands of one iteration, `rows`: of the first. None: not
    measured.

    Where each warp multiplies, what it works on has been moved to registers, so that one iteration less is in shared
    memory than where the tensor cores read from there.
    """
    if arch.id not in _BY_WARPS and arch.id not in _BY_GROUPS:
        return None
    if arch.id in _BY_WARPS or rows < _ROWS or threads < _GROUP:
        return max(stages - 1, 1) * tile
    return stages * tile + _BY_GROUPS[arch.id]
