"""Launches as Nsight Systems lists them: `nsys stats --report cuda_gpu_trace --format csv`, formerly `gputrace`.

Columns: NVIDIA's Nsight Systems documentation (cuda_gpu_trace). Shared memory is in units of choice, megabytes if none
is chosen, and rounded: it is read only in bytes. Devices are named as the driver names them: `NVIDIA A10 (0)`.
"""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import path_archs
from occupancy_lsp.counts.formats.cupti import Device, usage_of
from occupancy_lsp.counts.formats.tables import Row, distinct, each_kernel_once, rows, whole
from occupancy_lsp.counts.usage import Reading, Usage

_REGISTERS, _NAME, _DEVICE = "Reg/Trd", "Name", "Device"
_BLOCK = ("BlkX", "BlkY", "BlkZ")
_STATIC, _DYNAMIC = "StcSMem", "DymSMem"
_BYTES = ("(B)", "(byte)", "(bytes)")
_TELLING = frozenset(
    it.lower()
    for it in (_REGISTERS, _NAME, _DEVICE, *_BLOCK, *(f"{it} {unit}" for it in (_STATIC, _DYNAMIC) for unit in _BYTES))
)
_NUMBERED = regex(r" \(\d{1,4}\)$")


def looks_like(data: bytes) -> bool:
    return _REGISTERS.encode() in data and _BLOCK[0].encode() in data


def read(data: bytes, path: str) -> Reading:
    """A usage for each kernel and device. Never raises."""
    found = distinct(rows(data.decode("utf-8", "replace"), (_REGISTERS, _BLOCK[0], _NAME)), _TELLING)
    return Reading(each_kernel_once(usage for row in found if (usage := _usage(row, path)) is not None))


def _usage(row: Row, path: str) -> Usage | None:
    cells = row.cells
    return usage_of(
        cells[_NAME],
        Device(path_archs.nvidia(path), _NUMBERED.sub("", cells.get(_DEVICE, "")) or None),
        path,
        row.line,
        registers=whole(cells[_REGISTERS]),
        block=tuple(whole(cells.get(axis)) for axis in _BLOCK),
        static=_bytes(row, _STATIC),
        dynamic=_bytes(row, _DYNAMIC),
    )


def _bytes(row: Row, column: str) -> int | None:
    return next((whole(row.cells[name]) for unit in _BYTES if (name := f"{column} {unit}") in row.cells), None)
