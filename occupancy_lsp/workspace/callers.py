"""Launches of a file's kernels in other files of the workspace. File I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from occupancy_lsp.files import Content, read_file
from occupancy_lsp.syntax.aliases import alias_lines, with_aliases
from occupancy_lsp.syntax.dialects import Dialect
from occupancy_lsp.syntax.kernels import KernelLaunch
from occupancy_lsp.syntax.source import Source
from occupancy_lsp.workspace.headers import Headers
from occupancy_lsp.workspace.index import Index
from occupancy_lsp.workspace.lazily import Lazily
from occupancy_lsp.workspace.walk import MAX_BYTES

_MOST_FILES = 16


@dataclass(frozen=True, slots=True)
class FarLaunch:
    """A launch that stands in another file, at a line counted from 1."""

    path: str
    line: int
    launch: KernelLaunch


@dataclass(frozen=True, slots=True)
class _Launching:
    """A file that launches kernels, with all the headers that it includes."""

    launches: tuple[FarLaunch, ...]
    files: frozenset[str]


class Callers:
    def __init__(self, index: Index, headers: Headers) -> None:
        self._index = index
        self._headers = headers
        self.found: Lazily[tuple[FarLaunch, ...]] = Lazily()
        self._files: dict[tuple[Path, Dialect, tuple[tuple[str, int], ...]], _Launching | None] = {}

    def forget(self) -> None:
        """Files may have changed on disk."""
        self._files = {}
        self.found.forget()

    def launches(self, kernel: str, path: Path, dialect: Dialect, macros: Mapping[str, int]) -> tuple[FarLaunch, ...]:
        """Of the kernel with this name, without namespaces, that `path` defines."""
        if not any(other != path for other in self._index.launching(kernel)):
            return ()
        given = tuple(sorted(macros.items()))
        key = kernel, path, dialect
        return self.found.get(key, given, lambda: self._launches(kernel, path, dialect, macros), ())

    def _launches(self, kernel: str, path: Path, dialect: Dialect, macros: Mapping[str, int]) -> tuple[FarLaunch, ...]:
        found: list[FarLaunch] = []
        for other in self._index.launching(kernel)[:_MOST_FILES]:
            if other == path:
                continue
            launching = self._read(other, dialect, macros)
            if launching is not None and self._sees(launching, other, kernel, path):
                found += [it for it in launching.launches if it.launch.name == kernel]
        return tuple(found)

    def _sees(self, launching: _Launching, other: Path, kernel: str, path: Path) -> bool:
        """Whether the kernel launched is that of `path`: it is included, or the only one of its name."""
        if str(path) in launching.files:
            return True
        return all(it in (path, other) or str(it) in launching.files for it in self._index.defining(kernel))

    def _read(self, path: Path, dialect: Dialect, macros: Mapping[str, int]) -> _Launching | None:
        key = path, dialect, tuple(sorted(macros.items()))
        if key not in self._files:
            content = read_file(path, MAX_BYTES)
            self._files[key] = (
                self._facts(path, content.data, dialect, macros) if isinstance(content, Content) else None
            )
        return self._files[key]

    def _facts(self, path: Path, content: bytes, dialect: Dialect, macros: Mapping[str, int]) -> _Launching:
        source = Source(content, with_aliases(dialect, (*alias_lines(content), *self._index.aliases(path))))
        around = self._headers.units(path, source.points(), source.dialect)
        launches = tuple(
            FarLaunch(str(path), content.count(b"\n", 0, source.start_of(it.place.item) + it.place.start) + 1, it)
            for it in source.facts(macros, around).launches
        )
        return _Launching(launches, frozenset().union(*(unit.files for unit in around)))
