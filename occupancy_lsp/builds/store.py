"""What build results said, kept in the user's caches: a second start reads only what changed. File I/O.

Losing it costs time, nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from occupancy_lsp import __version__, core, counts
from occupancy_lsp.core.code_version import code_version
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.packing import Form, packable
from occupancy_lsp.core.query import remembered
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.workspace import kept_value
from occupancy_lsp.workspace.cache import cache_path, name_of
from occupancy_lsp.workspace.walk import Folder

Stamps = tuple[tuple[int, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """What a file said. `stamps`: its own then, and those of the files beside it that bear on it; None: no file."""

    stamps: Stamps
    reading: Reading


@dataclass(frozen=True, slots=True)
class _All:
    files: tuple[tuple[str, Kept], ...]


@remembered(1)
def _form() -> Form[_All]:
    return Form(_All)


@remembered(1)
def _version() -> bytes:
    """Of what reads such files; empty: it cannot be told."""
    found = code_version(counts, core)
    return __version__.encode() + found if found else b""


def store_of(root: Path) -> Path | None:
    """None: nothing is kept."""
    folder = Folder(root)
    return cache_path(folder, "results", name_of(folder.real)) if _version() else None


def load(store: Path | None) -> Mapping[str, Kept]:
    """By the path as it was read. Empty where nothing is kept, or by another version, or it is damaged."""
    kept = kept_value.load(store, _form(), _version()) if store is not None else None
    return dict(kept.files) if kept is not None else {}


def save(store: Path | None, files: Mapping[str, Kept]) -> None:
    if store is not None:
        kept_value.save(store, _form(), _version(), _All(packable(files)))
