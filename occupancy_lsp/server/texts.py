"""Texts that the user asked to see: files to read, for the editor to open, that are gone with the server."""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from occupancy_lsp.core.files import stays_in
from occupancy_lsp.core.visible import visible
from occupancy_lsp.core.writing import write
from occupancy_lsp.server.paths import to_uri

if TYPE_CHECKING:
    from occupancy_lsp.server.state import ServerState

_PATIENCE = 5.0
_LONGEST = 40  # characters of a file's name


class Texts:
    def __init__(self, server: ServerState) -> None:
        self._server = server
        self._folders: list[Path] = []

    async def show(self, name: str, text: str) -> None:
        """Where the editor opens nothing, it is told where the text is. Helix 25.01 opens, and does not announce it."""
        if self._server.remote:
            return
        path = self._kept(name, text)
        if path is None:
            self._server.log(t.MessageType.Info, *text.splitlines())
            return
        request = self._server.window_show_document_async(t.ShowDocumentParams(to_uri(path), take_focus=True))
        try:
            shown = (await asyncio.wait_for(request, _PATIENCE)).success
        except (asyncio.TimeoutError, JsonRpcException):
            shown = False
        if not shown:
            self._server.window_show_message(t.ShowMessageParams(t.MessageType.Info, visible(f"{name}: see {path}")))

    def dispose(self) -> None:
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)

    def _kept(self, name: str, text: str) -> Path | None:
        """A new file each time: editors show an open one as they have read it. In a new folder: the last one may have
        been cleaned away. None: it would be in the workspace, or cannot be written."""
        stem = re.sub(r"[^A-Za-z0-9_]+", "-", name)[:_LONGEST]
        try:
            if any(root and stays_in(tempfile.gettempdir(), root) for root, _ in self._server.roots.items()):
                return None
            self._folders.append(Path(tempfile.mkdtemp(prefix="occupancy-lsp-")))
            path = self._folders[-1] / f"{stem}.txt"
            write(path, text.encode("utf-8", "replace"), mode=0o400)
        except OSError:
            return None
        return path
