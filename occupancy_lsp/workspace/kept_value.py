"""One value kept in the user's caches, and which code made it: any other code reads none. File I/O.

Losing it costs time, nothing else.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.packing import Damaged, Form
from occupancy_lsp.workspace.cache import write_bytes

_T = TypeVar("_T")
_LARGEST = 256 << 20  # bytes
_CHECK = sha256().digest_size


def load(path: Path, form: Form[_T], version: bytes) -> _T | None:
    """None: there is nothing, or it is of another version or damaged. Mappings in it may still turn out Damaged."""
    content = read_file(path, _LARGEST)
    if not isinstance(content, Content):
        return None
    check, data = content.data[:_CHECK], content.data[_CHECK:]
    if check != sha256(version + data).digest():
        return None
    try:
        return form.unpack(data)
    except Damaged:
        return None


def save(path: Path, form: Form[_T], version: bytes, value: _T) -> None:
    data = form.pack(value)
    write_bytes(path, sha256(version + data).digest() + data)
