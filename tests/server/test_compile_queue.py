"""Wishes for one file that come while a compiler is at it: none is lost, whichever comes first."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from occupancy_lsp.server.compile_queue import CompileQueue, Wish

PROJECT: Any = SimpleNamespace(settings=SimpleNamespace(compile_jobs=1))
FILE = Path("a.cu")
COUNTS, TRIES = Wish(PROJECT, FILE), Wish(PROJECT, FILE, tries=("k",), counts=False)


class Session:
    """A queue whose compilers end when they are told to."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.may_end = threading.Event()
        self._tasks: list[asyncio.Task[None]] = []
        client = SimpleNamespace(progress=False)
        ls: Any = SimpleNamespace(closing=threading.Event(), client=client, spawn=self._spawn)
        self.queue = CompileQueue(ls, self._gather, self._told, lambda: None)

    def _spawn(self, work: Any) -> None:
        self._tasks.append(asyncio.get_running_loop().create_task(work))

    def _gather(self, wish: Wish) -> Iterator[Any]:
        for kernel in wish.tries:
            yield SimpleNamespace(run=self._run, name=f"try {kernel}")
            self.queue.tried(wish.path, kernel)
        if wish.counts:
            yield SimpleNamespace(run=self._run, name="count")

    def _run(self, cancelled: Callable[[], bool], progress: object) -> None:
        while not (cancelled() or self.may_end.wait(0.001)):
            pass

    def _told(self, wish: Wish, of: Any, reading: object) -> None:
        self.done.append(of.name)
        self.may_end.clear()

    async def ends_one(self) -> None:
        self.may_end.set()
        while self.may_end.is_set():
            await asyncio.sleep(0.001)

    async def started(self) -> None:
        await asyncio.sleep(0.02)

    async def ended(self) -> list[str]:
        while not all(it.done() for it in self._tasks):
            self.may_end.set()
            await asyncio.sleep(0.001)
        return self.done


@pytest.mark.parametrize("wishes", [(COUNTS, TRIES), (TRIES, COUNTS), (COUNTS, TRIES, COUNTS)])
def test_none_is_lost(wishes: tuple[Wish, ...]) -> None:
    async def run() -> list[str]:
        session = Session()
        for it in wishes:
            session.queue.add([it])
            await session.started()
        return await session.ended()

    assert asyncio.run(run()) == ["try k", "count"]


def test_what_was_dropped_stays_dropped() -> None:
    async def run() -> list[str]:
        session = Session()
        session.queue.add([TRIES])
        await session.started()
        session.queue.drop(FILE)
        session.queue.add([COUNTS])
        return await session.ended()

    assert asyncio.run(run()) == ["count"]


def test_what_was_tried_is_not_tried_again() -> None:
    """A save while the rest of the file is compiled."""

    async def run() -> list[str]:
        session = Session()
        session.queue.add([TRIES, COUNTS])
        await session.started()
        await session.ends_one()
        await session.started()
        session.queue.add([COUNTS])
        return await session.ended()

    assert asyncio.run(run()) == ["try k", "count"]
