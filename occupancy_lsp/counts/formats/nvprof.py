"""Launches as nvprof lists them: `nvprof --print-gpu-trace --csv`.

Columns: NVIDIA's CUDA Profiler documentation; below them a row has the units. A KB is 1024 bytes there, with decimals
for each byte. Devices are named as the driver names them: `Tesla V100-SXM2-16GB (0)`; a kernel's name may end in a
number of its launch.
"""

from __future__ import annotations

from collections.abc import Mapping

from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import path_archs
from occupancy_lsp.counts.formats.cupti import Device, usage_of
from occupancy_lsp.counts.formats.tables import Row, each_kernel_once, rows, whole
from occupancy_lsp.counts.usage import Reading, Usage

_REGISTERS, _NAME, _DEVICE = "Registers Per Thread", "Name", "Device"
_BLOCK = ("Block X", "Block Y", "Block Z")
_STATIC, _DYNAMIC = "Static SMem", "Dynamic SMem"
_UNITS = {"B": 1, "KB": 1 << 10, "MB": 1 << 20}
_SIZE = regex(r"\d{1,7}(?:\.\d{1,9})?")
_NUMBERED = regex(r" [(\[]\d{1,9}[)\]]$")
_NEARLY = 0.01  # of a byte, which the decimals leave open


def looks_like(data: bytes) -> bool:
    return _STATIC.encode() in data and _REGISTERS.encode() in data and _BLOCK[0].encode() in data


def read(data: bytes, path: str) -> Reading:
    """A usage for each kernel and device. Never raises."""
    units: Mapping[str, str] = {}
    usages: list[Usage] = []
    for row in rows(data.decode("utf-8", "replace"), (_REGISTERS, _BLOCK[0], _NAME)):
        if not row.cells[_NAME]:
            units = row.cells
        elif (usage := _usage(row, units, path)) is not None:
            usages.append(usage)
    return Reading(each_kernel_once(usages))


def _usage(row: Row, units: Mapping[str, str], path: str) -> Usage | None:
    cells = row.cells
    return usage_of(
        _NUMBERED.sub("", cells[_NAME]),
        Device(path_archs.nvidia(path), _NUMBERED.sub("", cells.get(_DEVICE, "")) or None),
        path,
        row.line,
        registers=whole(cells[_REGISTERS]),
        block=tuple(whole(cells.get(axis)) for axis in _BLOCK),
        static=_bytes(cells.get(_STATIC, ""), units.get(_STATIC, "")),
        dynamic=_bytes(cells.get(_DYNAMIC, ""), units.get(_DYNAMIC, "")),
    )


def _bytes(value: str, unit: str) -> int | None:
    if unit not in _UNITS or not _SIZE.fullmatch(value):
        return None
    size = float(value) * _UNITS[unit]
    return round(size) if abs(size - round(size)) < _NEARLY else None
