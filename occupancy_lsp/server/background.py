"""What other files of a workspace say is worked out in a thread; then the open documents are looked at again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from occupancy_lsp.server.server import Server
    from occupancy_lsp.session.project import Project


def attend(ls: Server, projects: Sequence[Project]) -> None:
    """From now on these projects' slow answers come later."""
    for project in projects:
        project.work_later(_Starter(ls, project))


class _Starter:
    """Starts the work once, however often it is asked for while it runs."""

    def __init__(self, ls: Server, project: Project) -> None:
        self._ls = ls
        self._project = project
        self._running = False

    def __call__(self) -> None:
        if not self._running and not self._ls.closing.is_set():
            self._running = True
            self._ls.spawn(self._work())

    async def _work(self) -> None:
        changed = False
        try:
            while not self._ls.closing.is_set() and (job := self._project.working()):
                changed = await self._ls.do(job) or changed
        finally:
            self._running = False
        if changed and not self._ls.closing.is_set():
            self._ls.publisher.refresh([self._project])
