"""What kernels were in the last commit: worked out beside everything else, once for each commit and file.

It starts git, so only the editor's own settings ask for it, and no client of the network can.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from occupancy_lsp.server.documents import Document
    from occupancy_lsp.server.publisher import Publisher
    from occupancy_lsp.server.state import ServerState
    from occupancy_lsp.session.earlier import Commits
    from occupancy_lsp.session.project import Project


class LookingBack:
    def __init__(self, ls: ServerState, publisher: Publisher) -> None:
        self._ls = ls
        self._publisher = publisher
        self._thread: ThreadPoolExecutor | None = None  # one: what it reads has an owner
        self._commits: Commits | None = None
        self._ready: set[Project] = set()

    def ready(self, projects: list[Project]) -> None:
        """Their settings are known now, and the first look at their files is over."""
        self._ready.update(projects)
        for document in [*self._ls.documents.values()]:
            if document.project in projects:
                self.look(document)

    def look(self, document: Document) -> None:
        """The document was opened or saved: another commit may be checked out."""
        if self._ls.remote or document.is_yaml or document.project not in self._ready or self._ls.closing.is_set():
            return
        if document.project.settings.compare_with_head:
            self._ls.spawn(self._look(document))
        elif document.file.were({}):
            self._publisher.refresh([document.project])

    async def _look(self, document: Document) -> None:
        from occupancy_lsp.session.earlier import Commits, now

        as_it_is = now(document.path, document.file.counts(), document.project)
        if as_it_is is None:
            return
        if self._thread is None or self._commits is None:
            self._thread, self._commits = ThreadPoolExecutor(1, "earlier"), Commits()
        work = partial(self._commits.figures, as_it_is, self._ls.closing.is_set)
        found = await asyncio.get_running_loop().run_in_executor(self._thread, work)
        if document.file.were(found) and not self._ls.closing.is_set():
            self._publisher.refresh([document.project])

    def dispose(self) -> None:
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)
        if self._commits is not None:
            self._commits.close()
