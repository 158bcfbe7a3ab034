"""The folder that tools look into, and nothing outside of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.sources import Found, SourceFile, found
from occupancy_lsp.cli.commands.workspace import settings_folder
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import stays_in
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.session.view import too_large


@dataclass(frozen=True, slots=True)
class Folder:
    """`root`: absolute, links followed. It is the current folder, so that paths are shown from it on."""

    root: Path

    def found(self, path: str) -> Iterator[Found | Problem]:
        """The sources that a path names or that stand below it. Failed: it is not in the folder, or is not there."""
        return (self._kept_in(it) if isinstance(it, Found) else it for it in found([self._inside(path)]))

    def source(self, path: str) -> SourceFile:
        """Failed: it is no source in the folder that can be read."""
        it = self.one(path).read()
        if isinstance(it, Problem):
            raise Failed(f"{it}.")
        if why_not := too_large(it.content):
            raise Failed(f"{it.shown}: not read: {why_not}.")
        return it

    def one(self, path: str) -> Found:
        """Failed: it is no file in the folder."""
        if os.path.isdir(self._inside(path)):
            raise Failed(f"{path} is a folder: name a source file. `check` takes folders and lists their findings.")
        (it,) = self.found(path)
        if isinstance(it, Problem):
            raise Failed(f"{it}.")
        return it

    def _inside(self, path: str) -> str:
        """From the folder on, links followed only for the answer to whether they lead out."""
        whole = os.path.abspath(os.path.join(self.root, path))
        if not stays_in(whole, self.root):
            raise Failed(
                f"{path} is outside {self.root}, where alone this server reads. "
                "`occupancy-lsp mcp --root FOLDER` serves another folder."
            )
        return os.path.relpath(whole, self.root)

    def _kept_in(self, it: Found) -> Found:
        """Looked at from the nearest folder with settings, but never from one outside."""
        near = settings_folder(it.path.parent)
        return replace(it, root=near if near is not None and stays_in(near, self.root) else self.root)
