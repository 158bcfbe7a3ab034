"""Which reader a file is for: YAML by its name, for nothing in it tells it apart; all else by what it holds.

A text is what it is in UTF-8, however it was written or packed (`encodings`). The readers are imported when the first
file of their kind is met: most folders have few kinds, or none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts.formats import ar, encodings, host_objects, sidecar
from occupancy_lsp.counts.usage import Reading

Reader = Callable[[bytes, str], Reading]

_BINARY = (
    b"\x7fELF", b"\x50\xed\x55\xba", b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB", ar.MAGIC, b"\x03\x02\x23\x07",
    b"\x07\x23\x02\x03", *host_objects.OF_WINDOWS,
)  # fmt: skip
_DATABASE = b"SQLite format 3\0"
LONGEST_START = max(map(len, (*_BINARY, _DATABASE)))


class _Format(Protocol):
    def looks_like(self, data: bytes) -> bool: ...

    def read(self, data: bytes, path: str) -> Reading: ...


def may_be_code(beginning: bytes) -> bool:
    """Whether a file that begins so, with `LONGEST_START` bytes, may hold device code; what is text does not."""
    return beginning.startswith(_BINARY)


def recognise(data: bytes, path: str) -> Reader | None:
    """The reader of a file with this content and name; None if it is nothing that says resources."""
    if sidecar.looks_like(path):
        return sidecar.read
    formats = _binary() if may_be_code(data) else _databases() if data.startswith(_DATABASE) else _text()
    of_one = next((each.read for each in formats if each.looks_like(data)), None)
    return _read_library if of_one is None and data.startswith(ar.MAGIC) else of_one


def says_counts(beginning: bytes, most: int, path: str) -> bool:
    """Whether a file that begins so, with `most` bytes or with all that it has, may say counts."""
    return recognise(encodings.beginning(beginning, most), path) is not None


def read(data: bytes, path: str) -> Reading:
    """What the file says; nothing if nobody can read it."""
    try:
        plain = encodings.plain(data)
    except ValueError as error:
        return Reading(problems=(Problem(path, 0, 0, str(error)),))
    reader = recognise(plain, path)
    reading = attempt(lambda: reader(plain, path), path) if reader is not None else Reading()
    return Reading(problems=(Problem(path, 0, 0, str(reading)),)) if isinstance(reading, Defect) else reading


def _read_library(data: bytes, path: str) -> Reading:
    """Of a static library: what each of its objects says."""
    readings = [read(content, path) for _, content in ar.members(data) if host_objects.looks_like(content)]
    usages = tuple(usage for reading in readings for usage in reading.usages)
    return Reading(usages, tuple(dict.fromkeys(problem for reading in readings for problem in reading.problems)))


def _binary() -> tuple[_Format, ...]:
    from occupancy_lsp.counts.formats import amd_bundle, amd_objects, cubin, fatbin, spirv, zebin

    return cubin, zebin, amd_objects, fatbin, amd_bundle, spirv


def _databases() -> tuple[_Format, ...]:
    from occupancy_lsp.counts.formats import nsys_database, rocpd

    return rocpd, nsys_database


def _text() -> tuple[_Format, ...]:
    from occupancy_lsp.counts.formats import (
        amd_assembly,
        amd_notes,
        amd_remarks,
        cuobjdump,
        dxbc,
        igc_dump,
        kineto,
        malioc,
        malioc_text,
        nsight_compute,
        nsight_text,
        nsys_trace,
        nvprof,
        ptx,
        ptxas,
        rga,
        rocprofv3,
        rocprofv3_json,
        shader_statistics,
        text_cubin,
        triton,
        unitrace,
        vulkan_statistics,
    )

    return (
        triton, ptx, cuobjdump, ptxas, amd_remarks, amd_assembly, amd_notes, igc_dump, nsight_compute, nsight_text,
        nsys_trace, nvprof, kineto, rocprofv3_json, rocprofv3, rga, unitrace, malioc, malioc_text, vulkan_statistics,
        shader_statistics, dxbc, text_cubin,
    )  # fmt: skip
