"""Whether a compiler's count still speaks of the text: each count remembers what the kernel looked like."""

from __future__ import annotations

from pathlib import Path

from occupancy_lsp.files import Content, read_file
from occupancy_lsp.inputs import Freshness
from occupancy_lsp.resources.usage import Usage
from occupancy_lsp.syntax.dialects import Dialect
from occupancy_lsp.syntax.source import Source

_LIMIT = 2_000_000


class Baselines:
    """The kernels' fingerprints when each sidecar was first seen, by the sidecar and the time it was written."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[tuple[str, float], dict[str, str] | None] = {}

    def freshness(self, usage: Usage, kernel: str, fingerprint: str, dialect: Dialect) -> Freshness:
        """What a person states is always fresh; a count older than the saved file is of unsure age."""
        if usage.source == "declared":
            return "fresh"
        key = (usage.path, usage.mtime)
        if key not in self._known:
            self._known[key] = self._read(usage.mtime, dialect)
        compiled = (self._known[key] or {}).get(kernel)
        if compiled is None:
            return "maybe"
        return "fresh" if compiled == fingerprint else "stale"

    def forget(self) -> None:
        """The file was saved: what is on disk is to be compared anew."""
        self._known = {key: known for key, known in self._known.items() if known is not None}

    def _read(self, mtime: float, dialect: Dialect) -> dict[str, str] | None:
        """The fingerprints of the file on disk; None if it was written after the sidecar."""
        if self._path is None:
            return None
        found = read_file(self._path, _LIMIT)
        if not isinstance(found, Content) or found.mtime > mtime:
            return None
        source = Source(found.data, dialect)
        return {kernel.qualified: source.fingerprint(kernel) for kernel in source.facts({}).kernels}
