"""File paths in URIs."""

from __future__ import annotations

from pathlib import Path

from pygls.uris import from_fs_path, to_fs_path


def to_path(uri: str) -> Path | None:
    """The file that a URI names; None for what is on no disk (untitled:, git:, …)."""
    try:
        name = to_fs_path(uri)
    except ValueError:
        return None
    # A NUL can be part of a URI and of no path: it would raise at the path's first use.
    return Path(name) if name and "\0" not in name else None


_CELL = "vscode-notebook-cell:"


def home(uri: str) -> Path | None:
    """The file by whose folder it is known which settings are a document's: a cell's is its notebook. It does not hold
    the cell's text as the cell does, so it is not its path."""
    return to_path(f"file:{uri[len(_CELL) :].partition('#')[0]}") if uri.startswith(_CELL) else to_path(uri)


def to_uri(path: Path | str) -> str:
    return from_fs_path(str(path)) or ""
