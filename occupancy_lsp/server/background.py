"""What other files of a workspace say is worked out in a thread; then the open documents are looked at again."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from occupancy_lsp.server.server import Server
    from occupancy_lsp.session.project import Project

_SOON = 1.0  # seconds: what takes longer is not waited for


def attend(ls: Server, projects: Sequence[Project]) -> None:
    """From now on these projects' slow answers come later."""
    for project in projects:
        project.work_later(_Starter(ls, project))


async def answered(ls: Server, projects: Collection[Project]) -> None:
    """Let other files say what documents of these projects ask, unless it takes long. Nothing is shown yet."""
    for document in ls.documents.values():
        if document.project in projects:
            document.file.ask()
    if ls.answering:
        await asyncio.wait(ls.answering, timeout=_SOON)


class _Starter:
    """Starts the work once, however often it is asked for while it runs.

    What is said before the sources are read is asked again when they are. So it waits for them, unless that takes long.
    """

    def __init__(self, ls: Server, project: Project) -> None:
        self._ls = ls
        self._project = project
        self._running = False
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self) -> None:
        if self._running or self._ls.closing.is_set():
            return
        if not self._project.unread:
            self._start()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_SOON, self._start)

    def _start(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._running and not self._ls.closing.is_set():
            self._running = True
            task = self._ls.spawn(self._work())
            self._ls.answering.add(task)
            task.add_done_callback(self._ls.answering.discard)

    async def _work(self) -> None:
        changed = False
        try:
            while not self._ls.closing.is_set() and (job := self._project.working()):
                changed = await self._ls.do(job) or changed
        finally:
            self._running = False
        if changed and not self._ls.closing.is_set():
            self._ls.publisher.refresh([self._project])
