"""Which reader a file is for: YAML by its name, for nothing in it tells it apart; all else by what it holds.

The readers are imported when the first file of their kind is met: most folders have few kinds, or none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from occupancy_lsp.resources import sidecar
from occupancy_lsp.resources.usage import Reading

Reader = Callable[[bytes, str], Reading]

_BINARY = (b"\x7fELF", b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB")


class _Format(Protocol):
    def looks_like(self, data: bytes) -> bool: ...

    def read(self, data: bytes, path: str) -> Reading: ...


def recognise(data: bytes, path: str) -> Reader | None:
    """The reader of a file with this content and name; None if it is nothing that says resources."""
    if sidecar.looks_like(path):
        return sidecar.read
    formats = _binary() if data.startswith(_BINARY) else _text()
    return next((each.read for each in formats if each.looks_like(data)), None)


def read(data: bytes, path: str) -> Reading:
    """What the file says; nothing if nobody can read it. Never raises."""
    reader = recognise(data, path)
    return reader(data, path) if reader is not None else Reading()


def _binary() -> tuple[_Format, ...]:
    from occupancy_lsp.resources import amd_bundle, amd_objects

    return amd_objects, amd_bundle


def _text() -> tuple[_Format, ...]:
    from occupancy_lsp.resources import amd_assembly, amd_remarks, ptxas

    return ptxas, amd_remarks, amd_assembly
