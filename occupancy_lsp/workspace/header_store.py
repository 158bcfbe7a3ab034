"""What was read of files, kept in the user's caches: a second start reads none again. File I/O.

An entry is named for the text, the language it was read in and the reader. Losing it costs time, nothing else.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.packing import Damaged
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.incremental.header_cache_format import pack_header, unpack_header, with_names_computed
from occupancy_lsp.source.incremental.header_cache_version import dialect_version, reader_version
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.workspace.cache import CHECK, checked, let_go, with_check, write_bytes

_MOST = 512 << 20  # bytes of all entries
_LARGEST = 64 << 20  # of one
_DAY = 86_400
_WRITES = 500  # of all processes, on average, between two looks at how many there are


class HeaderStore:
    """`folder` None: nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder if reader_version() else None

    def read(self, content: bytes, dialect: Dialect) -> tuple[LocatedItem, ...]:
        """The items of a file that others include, each of which is read when somebody asks for it."""
        place = self._place(content, dialect)
        kept = _kept(place, content, dialect)
        if kept is not None:
            return kept
        read = Source(content, dialect)
        data, placed = _keep(place, read), read.placed_items()
        if data is None:
            return tuple(map(with_names_computed, placed))
        # What speaks of kernels is asked for soon; as bytes the rest takes less memory.
        known = zip(placed, unpack_header(data, content, dialect), strict=True)
        return tuple(with_names_computed(now) if now.speaks else kept for now, kept in known)

    def source(self, content: bytes, dialect: Dialect) -> Source:
        """A file that is looked at for itself alone."""
        place = self._place(content, dialect)
        kept = _kept(place, content, dialect)
        if kept is not None:
            return Source(content, dialect, kept)
        read = Source(content, dialect)
        _keep(place, read)
        return read

    def ahead(self, content: bytes, dialect: Dialect) -> Iterator[None]:
        """Read a little of a file at each step, so that it is kept when it is asked for."""
        place = self._place(content, dialect)
        if place is not None and not place[0].exists():
            read = Source(content, dialect)
            yield
            yield from read.read_ahead()
            _keep(place, read)

    def _place(self, content: bytes, dialect: Dialect) -> _Place | None:
        if self._folder is None:
            return None
        key = sha256(b"\0".join((reader_version(), dialect_version(dialect), content))).digest()
        return self._folder / key.hex(), key


_Place = tuple[Path, bytes]  # where a file's items are kept, and the key that stands there before them


def _kept(place: _Place | None, content: bytes, dialect: Dialect) -> tuple[LocatedItem, ...] | None:
    kept = _load(*place) if place is not None else None
    try:
        return unpack_header(kept, content, dialect) if kept is not None else None
    except Damaged:
        return None


def _keep(place: _Place | None, read: Source) -> bytes | None:
    """For the next time. None: nothing is kept of it."""
    data = pack_header(read.placed_items(), read.items()) if place is not None else None
    if place is None or data is None or len(data) > _LARGEST:
        return None
    _save(*place, data)
    return data


def _load(path: Path, key: bytes) -> bytes | None:
    """None: there is nothing, or it is damaged."""
    content = read_file(path, _LARGEST + CHECK)
    if not isinstance(content, Content):
        return None
    data = checked(key, content.data)
    if data is not None and time.time() - content.mtime > _DAY:
        _touch(path)
    return data


def _save(path: Path, key: bytes, data: bytes) -> None:
    write_bytes(path, *with_check(key, data))
    if random.randrange(_WRITES) == 0:
        let_go(path.parent, _MOST)


def _touch(path: Path) -> None:
    """What is in use is let go last."""
    try:
        os.utime(path)
    except OSError:
        return
