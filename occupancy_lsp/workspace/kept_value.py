"""One value kept in the user's caches, and which code made it: any other code reads none. File I/O.

Losing it costs time, nothing else.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.packing import Damaged, Form
from occupancy_lsp.workspace.cache import checked, with_check, write_bytes

_T = TypeVar("_T")
_LARGEST = 256 << 20  # bytes


def load(path: Path, form: Form[_T], version: bytes) -> _T | None:
    """None: there is nothing, or it is of another version or damaged."""
    content = read_file(path, _LARGEST)
    data = checked(version, content.data) if isinstance(content, Content) else None
    try:
        return form.unpack(data) if data is not None else None
    except Damaged:
        return None


def save(path: Path, form: Form[_T], version: bytes, value: _T) -> None:
    packed = form.pack(value)
    if packed is not None:
        write_bytes(path, *with_check(version, packed))
