"""The folders that the editor has open: a project for each, and one for all files outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from occupancy_lsp.session.project import Project


class Roots:
    def __init__(self, paths: list[Path], settings: Mapping[str, object]) -> None:
        from occupancy_lsp.session.project import Project

        self._settings = settings
        self.outside = Project(None, settings)
        self._projects: dict[Path, Project] = {}
        for path in paths:
            self.add(path)

    def add(self, path: Path) -> Project:
        from occupancy_lsp.session.project import Project

        return self._projects.setdefault(path, Project(path, self._settings))

    def remove(self, path: Path) -> None:
        self._projects.pop(path, None)

    def of(self, path: Path | None) -> Project:
        """The project of the innermost folder that holds the file."""
        for folder in path.parents if path else ():
            if folder in self._projects:
                return self._projects[folder]
        return self.outside

    def items(self) -> Iterator[tuple[Path | None, Project]]:
        yield from self._projects.items()
        yield None, self.outside
