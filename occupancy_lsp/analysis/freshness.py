"""Whether a compiler's count still speaks of the text: each count remembers what the kernel looked like.

It remembers from one session to the next, in the user's caches: a file that was saved after the build may differ from
what was compiled by no more than a comment.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from occupancy_lsp.analysis.inputs import Freshness
from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.languages.registry import read
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.workspace.cache import cache_path, name_of, write
from occupancy_lsp.workspace.walk import Folder

_LIMIT = 2_000_000
_MOST_BUILDS = 16  # kept of one file
_FORMAT = 1

_Prints = dict[str, str]  # by the kernel's qualified name


class Baselines:
    """The kernels' fingerprints when each sidecar was first seen, by the sidecar and the time it was written."""

    def __init__(self, path: Path | None, root: Path | None) -> None:
        self._path = path
        self._kept = cache_path(Folder(root or path.parent), "fingerprints", name_of(str(path))) if path else None
        self._known: dict[tuple[str, float], _Prints | None] = {}

    def freshness(self, usage: Usage, kernel: str, fingerprint: str, dialect: Dialect) -> Freshness:
        """Of a compiler's count: one older than the saved file is of unsure age."""
        compiled = self.compiled(usage, kernel, dialect)
        if compiled is None:
            return "maybe"
        return "fresh" if compiled == fingerprint else "stale"

    def compiled(self, usage: Usage, kernel: str, dialect: Dialect) -> str | None:
        """The fingerprint of what was compiled; None: it is not known."""
        key = (usage.path, usage.mtime)
        if key not in self._known:
            self._known[key] = self._read(usage, dialect)
        return (self._known[key] or {}).get(kernel)

    def know(self, usage: Usage, fingerprints: Mapping[str, str]) -> None:
        """What was compiled looked so, and was never on disk."""
        self._known[usage.path, usage.mtime] = dict(fingerprints)

    def compare_anew(self) -> None:
        """The file was saved: what is on disk is to be compared anew."""
        self._known = {key: known for key, known in self._known.items() if known is not None}

    def _read(self, usage: Usage, dialect: Dialect) -> _Prints | None:
        """The fingerprints of what was compiled, as far as it is still known."""
        if self._path is None:
            return None
        name = f"{usage.path}|{usage.mtime}"
        found = read_file(self._path, _LIMIT)
        if not isinstance(found, Content) or found.mtime > usage.mtime:
            return _load(self._kept).get(name)
        prints = fingerprints(found.data, dialect)
        _keep(self._kept, name, prints)
        return prints


def fingerprints(content: bytes, dialect: Dialect) -> _Prints:
    """Of the kernels of a text, by their qualified names."""
    source = read(content, dialect)
    return {kernel.qualified: source.kernel_fingerprint(kernel) for kernel in source.facts({}).kernels}


def _load(kept: Path | None) -> dict[str, _Prints]:
    """By the build's file and time, the oldest first. What somebody else wrote there is nothing."""
    content = read_file(kept, _LIMIT) if kept else None
    if not isinstance(content, Content):
        return {}
    try:
        read = json.loads(content.data)
        builds = {str(name): {str(k): str(v) for k, v in prints.items()} for name, prints in read["builds"].items()}
        return builds if read["format"] == _FORMAT else {}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def _keep(kept: Path | None, name: str, prints: _Prints) -> None:
    known = _load(kept)
    if kept is not None and known.get(name) != prints:
        builds = dict(list({**known, name: prints}.items())[-_MOST_BUILDS:])
        write(kept, {"format": _FORMAT, "builds": builds})
