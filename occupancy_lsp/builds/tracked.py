"""Which files git keeps, by its index: a log among them is of whoever committed it, and of no build here. File I/O."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path

from occupancy_lsp.core.files import read_bytes, relative_to

_INDEX = "index"
_MAX_BYTES = 64 << 20
_LONGEST = 0xFFF  # of a path, as far as its length is noted before it
_PLAIN = ((0, 2), (0, 3))  # versions that have paths whole; the fourth shortens them


class Tracked:
    """Of the repository around `root`; without one, nothing is kept."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def holds(self, path: Path) -> bool:
        """True also where it cannot be told."""
        if self._index is None:
            return False
        top, index = self._index
        if (int.from_bytes(index[4:6], "big"), int.from_bytes(index[6:8], "big")) not in _PLAIN:
            return True
        name = relative_to(top)(path).encode("utf-8", "surrogateescape")
        at = index.find(name + b"\0")
        while at > 0:
            if int.from_bytes(index[at - 2 : at], "big") & _LONGEST == min(len(name), _LONGEST):
                return True
            at = index.find(name + b"\0", at + 1)
        return False

    @cached_property
    def _index(self) -> tuple[Path, bytes] | None:
        top = next((it for it in (self._root, *self._root.parents) if os.path.lexists(it / ".git")), None)
        if top is None:
            return None
        folder = top / ".git"
        content = read_bytes(folder / _INDEX, _MAX_BYTES) if folder.is_dir() else None
        if content is None and folder.is_file():  # of a further work tree, or a submodule
            content = b""
        return None if content is None else (top, content)
