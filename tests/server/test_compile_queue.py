"""What waits for a compiler, without one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from occupancy_lsp.server.compile_queue import CompileQueue, Wish
from occupancy_lsp.session.compilations import Compilation
from occupancy_lsp.session.project import Project


@pytest.mark.parametrize(
    ("said", "compiled"),
    [({}, False), ({"asked": True}, True), ({"tries": ("k",), "counts": False}, True)],
)
def test_what_the_user_asked_for_stays_when_the_settings_turn_out_to_be_off(said: Any, compiled: bool) -> None:
    project = Project(None)
    gathered: list[Path] = []

    def gather(wish: Wish) -> Iterator[Compilation]:
        gathered.append(wish.path)
        return iter(())

    async def run() -> None:
        tasks: list[asyncio.Task[None]] = []
        ls: Any = SimpleNamespace(spawn=lambda it: tasks.append(asyncio.ensure_future(it)), closing=asyncio.Event())
        queue = CompileQueue(ls, gather, lambda *_: None, lambda: None)
        queue.add([Wish(project, Path("/nowhere/k.cu"), **said)])
        queue.drop_unasked_of(project)
        await asyncio.gather(*tasks)

    asyncio.run(run())
    assert bool(gathered) == compiled
