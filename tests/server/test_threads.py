"""Threads read the disk while the loop edits and looks: nothing fails, and in the end all is as if read afresh."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from unittest.mock import patch

import pytest
from lsprotocol import types as t

from occupancy_lsp.core.text import Text
from occupancy_lsp.server import background, events, scanning, watching
from occupancy_lsp.server.conversation import QuietWriter
from occupancy_lsp.server.server import Server
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

FILES = 10
DEVICES = {"devices": ["h100", "a100"]}
_times = count(1_000_000)


@pytest.fixture(autouse=True)
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    with patch.dict(os.environ, XDG_CACHE_HOME=str(tmp_path_factory.mktemp("caches"))):
        yield
    sys.setswitchinterval(interval)


def write(path: Path, text: str) -> Path:
    """Never twice at the same time, however coarse the clock of the disk is."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    now = next(_times)
    os.utime(path, (now, now))
    return path


def header(root: Path, number: int, threads: int) -> Path:
    return write(root / f"h{number}.h", f"#pragma once\nconstexpr int T{number} = {threads};\n")


def log(root: Path, number: int, registers: int) -> Path:
    name = f"_Z2k{number}Pf"
    lines = (
        f"ptxas info    : Compiling entry function '{name}' for 'sm_90'",
        f"ptxas info    : Function properties for {name}",
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads",
        f"ptxas info    : Used {registers} registers, used 0 barriers",
    )
    return write(root / "build" / f"k{number}.log", "\n".join(lines) + "\n")


def source(root: Path, number: int) -> Path:
    """A kernel bounded by one header, that launches the kernel of the next file with a size of another."""
    following, far = (number + 1) % FILES, (number + 2) % FILES
    text = "".join(f'#include "h{it}.h"\n' for it in range(FILES))
    text += f"__global__ void __launch_bounds__(T{number}) k{number}(float *x) {{ x[0] *= 2; }}\n"
    text += f"__global__ void k{following}(float *x);\n"
    text += f"void run{number}(float *x) {{ k{following}<<<1, T{far}>>>(x); }}\n"
    return write(root / f"k{number}.cu", text)


def said(view: View | None) -> list[object]:
    assert view is not None
    return [
        (
            report.kernel.attributes.bounds and report.kernel.attributes.bounds.max_threads.value.number,
            [it.launch.size.number for it in report.far],
            [it.usage.registers for it in report.counted],
        )
        for row in (view.reports, *view.others)
        for report in row
    ]


class Storm:
    def __init__(self, root: Path) -> None:
        for number in range(FILES):
            header(root, number, 64)
            source(root, number)
            log(root, number, 40)
        self.root = root
        self.failures: list[str] = []
        self.server = Server()
        self.server.protocol.set_writer(QuietWriter(lambda data: None))
        self.server.start(
            t.InitializeParams(t.ClientCapabilities(), root_uri=root.as_uri(), initialization_options=DEVICES)
        )
        self.project = next(project for _, project in self.server.roots.items())

    def failed(self, kind: t.MessageType, *lines: str) -> None:
        self.failures.append("\n".join(lines))

    async def blow(self) -> None:
        background.attend(self.server, [self.project])
        await scanning.scan(self.server, [self.project])
        for number in range(FILES):
            path = self.root / f"k{number}.cu"
            item = t.TextDocumentItem(path.as_uri(), "cuda", 0, path.read_text())
            events.did_open(self.server, t.DidOpenTextDocumentParams(item))
        steps = (self._edit(200), self._change(40, 1), self._change(40, 2), self._scan(8))
        with patch.object(self.server, "log", self.failed):
            await asyncio.gather(*steps)
            await self._calm()

    async def _edit(self, times: int) -> None:
        chance = random.Random(0)
        for _ in range(times):
            document = chance.choice([*self.server.documents.values()])
            end = len(document.text.content)
            document.file.edit(end, end, b"// x\n")
            document.view()
            await asyncio.sleep(0)

    async def _change(self, times: int, seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(times):
            number, size = chance.randrange(FILES), chance.choice([32, 64, 128, 256])
            path = header(self.root, number, size) if chance.random() < 0.7 else log(self.root, number, size // 2)
            await watching.changed(self.server, [path])

    async def _scan(self, times: int) -> None:
        for _ in range(times):
            await scanning.scan(self.server, [self.project], quiet=True)

    async def _calm(self) -> None:
        """Nobody does anything any more, and all documents have been looked at."""
        for _ in range(1000):
            for document in self.server.documents.values():
                document.view()
            if not self.server._tasks:
                return
            await asyncio.sleep(0.01)
        raise AssertionError("never done")


def test_what_changes_in_a_storm_is_as_read_afresh_after_it(tmp_path: Path) -> None:
    storm = Storm(tmp_path)
    asyncio.run(storm.blow())
    assert storm.failures == []
    fresh = Project(tmp_path, DEVICES)
    fresh.scan(lambda: False, lambda done, total: None)
    fresh.read_sources(lambda: False, lambda done, total: None)
    for document in storm.server.documents.values():
        same = OpenFile(document.path, "cuda", Text(document.text.content), fresh)
        assert said(document.view()) == said(same.view()), document.path
