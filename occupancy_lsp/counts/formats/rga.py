"""The statistics that AMD's Radeon GPU Analyzer writes with `-a`.

Columns and the name of the file: GPUOpen-Tools/radeon_gpu_analyzer (kc_utils.cpp, kc_cli_commander_cl.cpp). They hold
what the compiler's metadata say (.vgpr_count, .sgpr_count, .group_segment_fixed_size), N/A or 0 where it does not, so a
0 says nothing. With a unified file the count of vector registers has the accumulation registers in it: not read. The
work-group size is not one that launches have to have. Only the file's name says the kernel.
"""

from __future__ import annotations

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats.tables import Row, rows, whole
from occupancy_lsp.counts.usage import Reading, Usage

_HEADER = regex(rb"\bDEVICE(.)SCRATCH_\w+\1THREADS_PER_WORKGROUP\1")
_HEADER_WITHIN = 8192
_DEVICE = regex(r"gfx[0-9]{1,2}[0-9a-f]{2}")
_TOTAL_WITH_ACCUMULATORS = regex(r"gfx(?:90a|94\d|95\d)")
_SUFFIX = "_stats.csv"


def looks_like(data: bytes) -> bool:
    return _HEADER.search(data[:_HEADER_WITHIN]) is not None


def read(data: bytes, path: str) -> Reading:
    """A usage for each device. Never raises."""
    header = _HEADER.search(data[:_HEADER_WITHIN])
    if header is None:
        return Reading()
    separator = header[1].decode("latin-1")
    found = list(rows(data.decode("utf-8", "replace"), ("DEVICE", "USED_VGPRs", "USED_SGPRs"), separator))
    usages = [usage for row in found if (usage := _usage(row, path)) is not None]
    if found and not usages:
        message = "does not say for which kernel: keep the name that RGA gives it, DEVICE_KERNEL_stats.csv"
        return Reading(problems=(Problem(path, 0, 0, message),))
    return Reading(tuple(usages))


def _usage(row: Row, path: str) -> Usage | None:
    device = row.cells["DEVICE"]
    kernel = _kernel(device, path)
    if kernel is None or not _DEVICE.fullmatch(device):
        return None
    wave = whole(row.cells.get("WAVEFRONT_SIZE"))
    total = _TOTAL_WITH_ACCUMULATORS.fullmatch(device) is not None
    return Usage(
        kernel,
        "compiled",
        path,
        row.line,
        device,
        registers=None if total else whole(row.cells["USED_VGPRs"]) or None,
        scalars=whole(row.cells["USED_SGPRs"]) or None,
        sub_group=wave if wave in (32, 64) else None,
        static_local=whole(row.cells.get("USED_LDS_BYTES")) or None,
    )


def _kernel(device: str, path: str) -> str | None:
    """`tile` of `gfx1100_tile_stats.csv`."""
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    start = f"{device}_"
    named = name.startswith(start) and name.endswith(_SUFFIX) and len(name) > len(start) + len(_SUFFIX)
    return name[len(start) : -len(_SUFFIX)] if named else None
