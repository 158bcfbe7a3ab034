"""Compiles what was saved, in a thread and one file at a time, where the editor's settings say so."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from lsprotocol import types as t

from occupancy_lsp.core.visible import visible
from occupancy_lsp.server.progress import begin

if TYPE_CHECKING:
    from occupancy_lsp.server.documents import Document
    from occupancy_lsp.server.server import Server


class Compiling:
    """Files wait for their turn; one that is saved again while it is compiled starts anew."""

    def __init__(self, ls: Server) -> None:
        self._ls = ls
        self._waiting: dict[str, Document] = {}
        self._current = ""  # URI
        self._working = False
        self._stop = threading.Event()

    def saved(self, document: Document) -> None:
        if document.project.settings.compile != "on-save" or not document.path:
            return
        if self._ls.remote:
            self._ls.warn("occupancy: compile is left off: a client of the network may not start programs")
            return
        self._waiting[document.uri] = document
        if self._current == document.uri:
            self._stop.set()
        elif not self._working:
            self._working = True
            self._ls.spawn(self._work())

    async def _work(self) -> None:
        try:
            while self._waiting and not self._ls.closing.is_set():
                self._current = next(iter(self._waiting))
                self._stop.clear()
                await self._compile(self._waiting.pop(self._current))
        finally:
            self._current, self._working = "", False

    async def _compile(self, document: Document) -> None:
        from occupancy_lsp.compile.compiler import compile_file  # most never need it
        from occupancy_lsp.workspace.walk import UNITS

        ls, path = self._ls, document.path
        with ls.looking_at(document, "compiling"):
            view = document.view()
        if path is None or path.suffix not in UNITS or view is None or view.device is None or not view.facts.kernels:
            return
        title = f"Occupancy: compiling {path.name} for {view.device.name}"
        token = await begin(ls, title) if ls.client.progress else None
        ended = ls.work_done_progress.tokens.get(token) if token else None

        def cancelled() -> bool:
            return self._stop.is_set() or ls.closing.is_set() or (ended is not None and ended.cancelled())

        try:
            project, language = document.project, view.source.dialect.name
            reading = await asyncio.to_thread(
                compile_file,
                path,
                language,
                view.device,
                project.root,
                project.settings.macros,
                cancelled,
                _reporter(ls, token),
                folders=project.include_folders(path),
            )
        finally:
            if token:
                ls.work_done_progress.end(token, t.WorkDoneProgressEnd())
        if cancelled():
            return
        for problem in reading.problems:
            ls.log(t.MessageType.Info, str(problem))
        if reading.usages:
            project.compiled(path, reading)
            ls.publisher.refresh([project])


def _reporter(ls: Server, token: str | None) -> Callable[[str], None]:
    """Called in the job's thread, with what is run."""
    loop = asyncio.get_running_loop()

    def report(step: str) -> None:
        if token:
            loop.call_soon_threadsafe(
                ls.work_done_progress.report, token, t.WorkDoneProgressReport(message=visible(step))
            )

    return report
