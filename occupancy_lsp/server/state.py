"""The server's state, which all its parts share: its client, the open documents, the folders, the work in hand."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import traceback
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cattrs import Converter as Structurer
from lsprotocol import converters
from lsprotocol import types as t
from pygls.exceptions import FeatureRequestError, JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from occupancy_lsp import __version__
from occupancy_lsp.core.defects import Defect, told_to
from occupancy_lsp.core.job import Cancelled, Job, Progress
from occupancy_lsp.core.visible import visible
from occupancy_lsp.server import parent
from occupancy_lsp.server.client import Client
from occupancy_lsp.server.convert import Converter, Place, closed
from occupancy_lsp.server.documents import Document
from occupancy_lsp.server.greeting import NAME
from occupancy_lsp.server.paths import to_path, to_uri
from occupancy_lsp.server.roots import Roots

if TYPE_CHECKING:
    from occupancy_lsp.session.project import Project

# Faults are told in window/logMessage; pygls would repeat them on stderr, late cancellations included.
logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)

_T = TypeVar("_T")
_READERS = 2  # threads: one may be at a slow disk
_PATIENCE = 1.0  # seconds: a server that is left at once may never have both


def _converter() -> Structurer:
    """The first fault of a message is enough: an error for each of 100,000 items takes seconds and 400 MB."""
    return converters.get_converter(Structurer(detailed_validation=False))


class ServerState(LanguageServer):
    def __init__(self, protocol: type[LanguageServerProtocol], remote: bool) -> None:
        """`remote`: its client came over the network, not as the editor that started the process."""
        super().__init__(NAME, __version__, protocol_cls=protocol, converter_factory=_converter)
        self.remote = remote
        self.client = Client()
        self.documents: dict[str, Document] = {}
        self.ready: set[Project] = set()  # whose settings and build results are known
        self.options: Mapping[str, object] = {}
        self.closing = threading.Event()
        self.scanning = asyncio.Lock()
        self.changing = asyncio.Lock()  # changes on disk are looked at in the order in which they are told
        self.watched: list[t.FileSystemWatcher] = []
        self.editor: int | None = None
        self._folders: list[str] = []
        self._readers = _started(_READERS)
        self._tasks: set[asyncio.Task[None]] = set()
        self.answering: set[asyncio.Task[None]] = set()  # of these, those that ask other files
        self._warned: set[str] = set()

    @cached_property
    def roots(self) -> Roots:
        """Made on first use: reading presets and configuration can wait until `initialize` is answered."""
        paths = [path for uri in self._folders if (path := to_path(uri))]
        return Roots(paths, self.options)

    def start(self, params: t.InitializeParams) -> None:
        """Note what `initialize` says. Nothing slow: the editor waits for the answer."""
        self.editor = parent.editor(params.process_id)
        root = params.root_uri or (to_uri(params.root_path) if params.root_path else None)
        self._folders = [folder.uri for folder in params.workspace_folders or []] or ([root] if root else [])
        options = params.initialization_options
        if isinstance(options, Mapping):
            section = options.get("occupancy", options)
            self.options = section if isinstance(section, Mapping) else {}

    def converter(self, document: Document) -> Converter:
        return Converter(document.uri, document.version, document.text, self.client, self._place)

    def _place(self, path: Path) -> Place:
        real = os.path.realpath(path)
        found = (it for it in self.documents.values() if it.path and os.path.realpath(it.path) == real)
        return next(((it.uri, it.version) for it in found), closed(path))

    def opened(self) -> dict[Path, bytes]:
        """What stands in the editor."""
        return {it.path: it.text.content for it in self.documents.values() if it.path}

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run in the background; a failure is logged."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self.warn(*_story("in the background", error))

    def log(self, kind: t.MessageType, *lines: str) -> None:
        self.window_log_message(t.LogMessageParams(kind, "\n".join(map(visible, lines))))

    def warn(self, *lines: str) -> None:
        """Say it in the log, once."""
        if (message := "\n".join(lines)) not in self._warned:
            self._warned.add(message)
            self.log(t.MessageType.Warning, *lines)

    def looking_at(self, document: Document, where: str) -> AbstractContextManager[None]:
        """Within, what fails in one kernel leaves the others as they are."""
        return told_to(lambda defect: self.fault(document, where, defect))

    def fault(self, document: Document, where: str, defect: Defect) -> None:
        """Met in one document: said once for it, however many keys are pressed."""
        if defect.what not in document.faults:
            document.faults.add(defect.what)
            head = f"internal error {where} of {defect.file or document.uri}"
            self.log(t.MessageType.Error, head, *defect.story.splitlines())

    async def do(self, job: Job[_T], cancelled: Cancelled | None = None, progress: Progress | None = None) -> bool:
        """Run it in a thread and take its answer here. True: what is shown may differ."""
        return job.take(await self._in_thread(job.run, cancelled or self.closing.is_set, progress or _silent))

    def _in_thread(self, work: Callable[..., _T], *given: object) -> Awaitable[_T]:
        """What fails in one of the files that it reads is logged."""
        if self.closing.is_set():  # the threads end with the server
            raise asyncio.CancelledError
        loop = asyncio.get_running_loop()

        def met(defect: Defect) -> None:
            head = f"internal error in {defect.file or 'the workspace'}"
            loop.call_soon_threadsafe(self.warn, head, *defect.story.splitlines())

        def done() -> _T:
            with told_to(met):
                return work(*given)

        return loop.run_in_executor(self._readers, done)

    def report_server_error(self, error: Exception, source: type[PyglsError] | type[JsonRpcException]) -> None:
        """pygls would pop up a message. A failed request has its reply; the rest is for the log."""
        if source is not FeatureRequestError:
            self.warn(*_story("in a notification", error))


def _started(count: int) -> ThreadPoolExecutor:
    """Threads that run: one that starts while much is remembered keeps the megabyte around what it consists of."""
    threads, all_run = ThreadPoolExecutor(count, "reader"), threading.Barrier(count)
    for _ in range(count):
        threads.submit(all_run.wait, _PATIENCE)
    return threads


def _silent(done: int, total: int) -> None:
    pass


def _story(where: str, error: BaseException) -> list[str]:
    return [f"internal error {where}", *"".join(traceback.format_exception(error)).rstrip().split("\n")]
