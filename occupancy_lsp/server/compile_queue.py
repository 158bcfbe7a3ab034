"""Files that wait for a compiler: one after the other in a thread, or several at a time, with a bar that cancels."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.visible import visible
from occupancy_lsp.server.progress import begin

if TYPE_CHECKING:
    from occupancy_lsp.counts.usage import Reading
    from occupancy_lsp.server.state import ServerState
    from occupancy_lsp.session.compilations import Compilation
    from occupancy_lsp.session.project import Project

_TITLE = "Occupancy: compiling"


@dataclass(frozen=True, slots=True)
class Wish:
    """A file to compile. `soon`: before those that nobody has open. `quiet`: without a bar, and failures are not told.

    `asked`: by the user, whether it seems needed or not. `tries`: kernels to be compiled with other bounds, by their
    qualified names; `counts`: what lacks a count is to be compiled, too.
    """

    project: Project
    path: Path
    soon: bool = True
    quiet: bool = False
    asked: bool = False
    tries: tuple[str, ...] = ()
    counts: bool = True

    def and_also(self, other: Wish) -> Wish:
        """Both at once."""
        return replace(
            self,
            soon=self.soon or other.soon,
            quiet=self.quiet and other.quiet,
            asked=self.asked or other.asked,
            tries=tuple(dict.fromkeys((*self.tries, *other.tries))),
            counts=self.counts or other.counts,
        )


class CompileQueue:
    """A file that is wished for again while it is compiled starts anew, with both wishes.

    `gather`: what to compile for a wish; it is asked for the next when the answer before is known. `told` takes each.
    `idle`: nothing waits any more.
    """

    def __init__(
        self,
        ls: ServerState,
        gather: Callable[[Wish], Iterator[Compilation]],
        told: Callable[[Wish, Compilation, Reading], None],
        idle: Callable[[], None],
    ) -> None:
        self._ls = ls
        self._gather = gather
        self._told = told
        self._idle = idle
        self._waiting: dict[Path, Wish] = {}
        self._running: dict[Path, tuple[Wish, threading.Event]] = {}
        self._workers = 0
        self._bar = _Bar(ls)

    def add(self, wishes: Iterable[Wish]) -> None:
        for wish in wishes:
            self._bar.total += wish.path not in self._waiting
            before = self._waiting.get(wish.path) or self._undone(wish.path)
            self._waiting[wish.path] = before.and_also(wish) if before else wish
            self._stop(wish.path)
        while self._waiting and self._workers < self._most():
            self._workers += 1
            self._ls.spawn(self._work())

    def tried(self, path: Path, kernel: str) -> None:
        """Of what is running: should it start anew, this is not tried again."""
        wish, stop = self._running[path]
        self._running[path] = replace(wish, tries=tuple(it for it in wish.tries if it != kernel)), stop

    def drop(self, path: Path) -> None:
        """Nobody needs it any more; what is half done ends."""
        if self._waiting.pop(path, None):
            self._bar.total -= 1
        self._stop(path)

    def drop_quiet(self, path: Path) -> None:
        """The text that was at rest is edited again."""
        wish = self._waiting.get(path) or self._running.get(path, (None,))[0]
        if wish is not None and wish.quiet:
            self.drop(path)

    def _undone(self, path: Path) -> Wish | None:
        """What is running of it, unless it was stopped: that is started anew along with what is added."""
        wish, stop = self._running.get(path, (None, None))
        return wish if stop is not None and not stop.is_set() else None

    def _stop(self, path: Path) -> None:
        if path in self._running:
            self._running[path][1].set()

    def drop_unasked_of(self, project: Project) -> None:
        """But for what the user asked for, which may be before the settings are known."""
        for wish in [it for it in self._waiting.values() if it.project is project]:
            if not wish.asked and not wish.tries:
                self.drop(wish.path)

    def clear(self) -> None:
        for path in [*self._waiting, *self._running]:
            self.drop(path)

    def _most(self) -> int:
        jobs = max(it.project.settings.compile_jobs for it in self._waiting.values())
        return min(jobs, len(self._running) + len(self._waiting))

    def _next(self) -> Wish | None:
        free = [it for it in self._waiting.values() if it.path not in self._running]
        wish = next((it for it in free if it.soon), free[0] if free else None)
        return self._waiting.pop(wish.path) if wish else None

    async def _work(self) -> None:
        try:
            while not self._ls.closing.is_set() and (wish := self._next()):
                stop = threading.Event()
                self._running[wish.path] = wish, stop
                try:
                    await self._compile(wish, stop)
                finally:
                    del self._running[wish.path]
                    self._bar.done += 1
        finally:
            self._workers -= 1
            if not self._workers:
                self._idle()
                self._bar.end()

    async def _compile(self, wish: Wish, stop: threading.Event) -> None:
        def cancelled() -> bool:
            return stop.is_set() or self._ls.closing.is_set()

        for it in self._gather(wish):
            if not wish.quiet:
                await self._bar.show(self.clear)
            reading = await asyncio.to_thread(it.run, cancelled, self._bar.reporter(wish))
            if cancelled():
                return
            self._told(wish, it, reading)


class _Bar:
    """One for all that waits, from the first file that a compiler is started on to the last."""

    def __init__(self, ls: ServerState) -> None:
        self._ls = ls
        self._token: str | None = None
        self._opening: asyncio.Lock = asyncio.Lock()
        self.done = self.total = 0

    async def show(self, cancel: Callable[[], None]) -> None:
        async with self._opening:
            if self._token is None and self._ls.client.progress:
                self._token = await begin(self._ls, _TITLE, 0)
                if self._token:
                    ended = self._ls.work_done_progress.tokens[self._token]
                    ended.add_done_callback(lambda it: cancel() if it.cancelled() else None)

    def reporter(self, wish: Wish) -> Callable[[str], None]:
        """Called in the thread that compiles, with what is run."""
        loop = asyncio.get_running_loop()

        def report(step: str) -> None:
            loop.call_soon_threadsafe(self._report, f"{wish.path.name}: {step}")

        return report

    def _report(self, step: str) -> None:
        if self._token:
            count = f"{self.done} of {self.total} files, " if self.total > 1 else ""
            percentage = 100 * self.done // max(self.total, 1)
            told = t.WorkDoneProgressReport(message=visible(count + step), percentage=percentage)
            self._ls.work_done_progress.report(self._token, told)

    def end(self) -> None:
        if self._token:
            self._ls.work_done_progress.end(self._token, t.WorkDoneProgressEnd())
        self._token, self.done, self.total = None, 0, 0
