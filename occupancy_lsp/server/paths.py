"""File paths in URIs."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

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
    if not uri.startswith(_CELL):
        return to_path(uri)
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    # `ssh-remote+host`, `localhost:8080`: how the editor reaches the machine that this runs on.
    host = unquote(parts.netloc)
    remote = os.name != "nt" or "+" in host or ":" in host
    return to_path(urlunsplit(("file", "" if remote else parts.netloc, parts.path, "", "")))


def to_uri(path: Path | str) -> str:
    return from_fs_path(str(path)) or ""
