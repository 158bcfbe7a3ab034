"""Which reader a file is for: YAML by its name, for nothing in it tells it apart; all else by what it holds."""

from __future__ import annotations

from collections.abc import Callable

from occupancy_lsp.resources import (
    dxbc,
    malioc,
    nsight_compute,
    ptxas,
    rga,
    rocprofv3,
    sidecar,
    spirv,
    unitrace,
    vulkan_statistics,
    zebin,
)
from occupancy_lsp.resources.usage import Reading

Reader = Callable[[bytes, str], Reading]

# Binary formats, which their first bytes tell, before text.
_BY_CONTENT = (zebin, spirv, ptxas, nsight_compute, rocprofv3, rga, unitrace, malioc, vulkan_statistics, dxbc)


def recognise(data: bytes, path: str) -> Reader | None:
    """The reader of a file with this content and name; None if it is nothing that says resources."""
    if sidecar.looks_like(path):
        return sidecar.read
    return next((format.read for format in _BY_CONTENT if format.looks_like(data)), None)


def read(data: bytes, path: str) -> Reading:
    """What the file says; nothing if nobody can read it. Never raises."""
    reader = recognise(data, path)
    return reader(data, path) if reader is not None else Reading()
