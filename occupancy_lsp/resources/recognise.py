"""Which reader a file is for: YAML by its name, for nothing in it tells it apart; all else by what it holds."""

from __future__ import annotations

from collections.abc import Callable

from occupancy_lsp.resources import amd_assembly, amd_bundle, amd_objects, amd_remarks, ptxas, sidecar
from occupancy_lsp.resources.usage import Reading

Reader = Callable[[bytes, str], Reading]

# Binary formats, which their first bytes tell, before text.
_BY_CONTENT = (amd_objects, amd_bundle, ptxas, amd_remarks, amd_assembly)


def recognise(data: bytes, path: str) -> Reader | None:
    """The reader of a file with this content and name; None if it is nothing that says resources."""
    if sidecar.looks_like(path):
        return sidecar.read
    return next((format.read for format in _BY_CONTENT if format.looks_like(data)), None)


def read(data: bytes, path: str) -> Reading:
    """What the file says; nothing if nobody can read it. Never raises."""
    reader = recognise(data, path)
    return reader(data, path) if reader is not None else Reading()
