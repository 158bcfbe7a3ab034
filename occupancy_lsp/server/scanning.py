"""The first look for build results in the folders: in a thread, with a progress bar that can be cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types as t

from occupancy_lsp.server.background import answered
from occupancy_lsp.server.progress import begin
from occupancy_lsp.server.watching import look_at

if TYPE_CHECKING:
    from occupancy_lsp.server.server import Server
    from occupancy_lsp.session.project import Project

_TITLE = "Occupancy: reading the workspace"


async def scan(ls: Server, projects: Sequence[Project], quiet: bool = False) -> None:
    if projects:
        async with ls.scanning:
            await _scan(ls, projects, await begin(ls, _TITLE, 0) if ls.client.progress and not quiet else None)


async def _scan(ls: Server, projects: Sequence[Project], token: str | None) -> None:
    stop = ls.work_done_progress.tokens.get(token) if token else None
    first = [it for it in projects if it.unread]

    def cancelled() -> bool:
        return ls.closing.is_set() or (stop is not None and stop.cancelled())

    try:
        for project in projects:
            with project.noting() as changed:
                await ls.do(project.scanning(), cancelled, _reporter(ls, token, "build results", 0))
                await ls.do(project.reading(), cancelled, _reporter(ls, token, "sources", 50))
            await look_at(ls, project, changed)
    finally:
        if token:
            message = "cancelled" if cancelled() else None
            ls.work_done_progress.end(token, t.WorkDoneProgressEnd(message=message))
    # What documents are without their headers is shown already.
    await answered(ls, first)
    ls.publisher.refresh(projects)


def _reporter(ls: Server, token: str | None, what: str, start: int) -> Callable[[int, int], None]:
    """Called in the scan's thread: half of the whole from `start` percent on; the client gets at most fifty reports."""
    loop = asyncio.get_running_loop()
    last = start

    def report(done: int, total: int) -> None:
        nonlocal last
        percentage = start + (min(50 * done // total, 50) if total else 50)
        if token and percentage > last:
            last = percentage
            step = t.WorkDoneProgressReport(message=f"{done} of {total} {what}", percentage=percentage)
            loop.call_soon_threadsafe(ls.work_done_progress.report, token, step)

    return report
