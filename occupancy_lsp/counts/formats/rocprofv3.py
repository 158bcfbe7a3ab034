"""What AMD's profilers trace of each launch: rocprofv3 (kernel trace and counters, rocpd), rocprofv2, rocprof.

Columns: ROCm's documentation of rocprofv3 ("Output file fields") and rocprofv2's file plugin; what they hold: ROCm
rocprofiler-sdk, code_object.cpp and generateCSV.cpp. They hold what the kernel descriptor encodes:

- VGPR_Count is the vector registers as they are allocated: the compiler's count rounded up to 4 (waves of 64, unified
  files) or 8 (waves of 32). It gives the same occupancy as the count. Not read where releases of the profiler took the
  encoding of another generation (gfx950, gfx1250).
- Accum_VGPR_Count with a unified file is what is left of the allocation, so up to 7 with none used; the first releases
  computed it wrongly, which shows in a sum that is no allocation.
- SGPR_Count is an allocation on gfx8 and gfx9; elsewhere it limits nothing or is rounded too far.
- LDS_Block_Size is rounded up to 512 bytes, and has dynamic memory in it in some releases and not in others: only 0
  says something.
- Scratch_Size: bytes per work-item.

No file says which device an agent is: its own name, or its folder's, has to, which ROCm Compute Profiler names for it.
All agents in it are taken to be alike.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import path_archs
from occupancy_lsp.counts.formats.tables import Row, distinct, each_kernel_once, rows, whole
from occupancy_lsp.counts.usage import Reading, Usage

# By generation of the tools, in lower case.
_COLUMNS = {
    "kernel": ("kernel_name", "kernelname"),
    "vector": ("vgpr_count", "arch_vgpr"),
    "accumulators": ("accum_vgpr_count", "accum_vgpr"),
    "scalar": ("sgpr_count", "sgpr"),
    "local": ("lds_block_size", "lds_per_workgroup", "lds", "group_segment_size"),
    "scratch": ("scratch_size", "scratch_per_workitem", "scr", "private_segment_size"),
    "group": ("workgroup_size", "wgr"),
    "wave": ("wave_size",),
}
_AXES = ("workgroup_size_x", "workgroup_size_y", "workgroup_size_z")
_TELLING = frozenset((*_AXES, *(name for names in _COLUMNS.values() for name in names)))
_HEADER = regex(
    rb"^(?=.*\b(?:vgpr_count|arch_vgpr|workgroup_size_x)\b).*\b(kernel_?name)\b", re.IGNORECASE | re.MULTILINE
)
_HEADER_WITHIN = 8192  # bytes from the start
_SUFFIX = regex(r"(?: ?\[clone \.kd\]| ?\(\.kd\)|\.kd)$")
_ENCODED_AS_THOUGHT = regex(r"gfx(?:[678]\d\d|90[0-9a-f]|94\d|1[01]\d\d|120\d)")
_SCALARS_LIMIT = regex(r"gfx(?:8\d\d|90[0-9a-f]|94\d)")
_UNIFIED = regex(r"gfx(?:90a|94\d)")
_MOST = 512  # vector registers that a thread can have, accumulators included


def looks_like(data: bytes) -> bool:
    return _HEADER.search(data[:_HEADER_WITHIN]) is not None


def read(data: bytes, path: str) -> Reading:
    """A usage for each kernel. Never raises."""
    header = _HEADER.search(data[:_HEADER_WITHIN])
    if header is None:
        return Reading()
    arch = path_archs.amd(path)
    if arch is None:
        message = "a trace does not say for which GPU it is: name the file for it, as in run.gfx90a_kernel_trace.csv"
        return Reading(problems=(Problem(path, 0, 0, message),))
    found = distinct(rows(data.decode("utf-8", "replace"), (header[1].decode(),)), _TELLING)
    launches = (_usage(row, arch, path) for row in found)
    return Reading(each_kernel_once(usage for usage in launches if usage is not None))


def _usage(row: Row, arch: str, path: str) -> Usage | None:
    cells = {name.lower(): value for name, value in row.cells.items()}
    kernel = _SUFFIX.sub("", _cell(cells, "kernel") or "")
    if not kernel:
        return None
    registers = _number(cells, "vector") if _ENCODED_AS_THOUGHT.fullmatch(arch) else None
    wave = _number(cells, "wave")
    return Usage(
        kernel,
        "measured",
        path,
        row.line,
        arch,
        registers=registers or None,
        accumulators=_accumulators(cells, arch, registers) if registers else None,
        scalars=(_number(cells, "scalar") or None) if _SCALARS_LIMIT.fullmatch(arch) else None,
        sub_group=wave if wave in (32, 64) else None,
        static_local=0 if _number(cells, "local") == 0 else None,
        group_size=_group(cells),
        stack=_number(cells, "scratch"),
    )


def _cell(cells: Mapping[str, str], what: str) -> str | None:
    return next((cells[name] for name in _COLUMNS[what] if name in cells), None)


def _number(cells: Mapping[str, str], what: str) -> int | None:
    return whole(_cell(cells, what))


def _accumulators(cells: Mapping[str, str], arch: str, registers: int) -> int | None:
    """On gfx908 the two files are as large as each other, and so are the counts; elsewhere there are none."""
    count = _number(cells, "accumulators")
    if not _UNIFIED.fullmatch(arch):
        return count if arch == "gfx908" and count == registers else None
    whole_file = count is not None and (registers + count) % 8 == 0 and registers + count <= _MOST
    return count if whole_file else None


def _group(cells: Mapping[str, str]) -> int | None:
    axes = [whole(cells.get(axis)) for axis in _AXES]
    known = [size for size in axes if size]
    return prod(known) if len(known) == len(_AXES) else _number(cells, "group") or None
