"""What other files say is worked out once: not before the sources are read, and before anything is shown without it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types as t

from occupancy_lsp.server import background, events, scanning
from occupancy_lsp.server.conversation import QuietWriter
from occupancy_lsp.server.documents import Document
from occupancy_lsp.server.server import Server
from occupancy_lsp.session.project import Project

pytestmark = pytest.mark.usefixtures("caches")
KERNEL = """\
#include "sizes.h"
__global__ void __launch_bounds__(THREADS) scale(float *x) { x[0] *= 2; }
"""


def begun(root: Path) -> tuple[Server, Project, Document]:
    """A server with one file open, whose sources are not read."""
    (root / "sizes.h").write_text("#pragma once\nconstexpr int THREADS = 128;\n")
    path = root / "scale.cu"
    path.write_text(KERNEL)
    server = Server()
    server.protocol.set_writer(QuietWriter(lambda data: None))
    server.start(t.InitializeParams(t.ClientCapabilities(), root_uri=root.as_uri()))
    project = next(project for _, project in server.roots.items())
    background.attend(server, [project])
    events.did_open(server, t.DidOpenTextDocumentParams(t.TextDocumentItem(path.as_uri(), "cuda", 0, KERNEL)))
    return server, project, server.documents[path.as_uri()]


def threads(document: Document) -> int | None:
    view = document.view()
    assert view is not None
    bounds = view.reports[0].kernel.attributes.bounds
    return bounds.max_threads.value.number if bounds else None


def test_a_file_is_not_looked_at_without_its_headers_once_they_can_be_read(tmp_path: Path) -> None:
    async def started() -> None:
        server, project, document = begun(tmp_path)
        assert threads(document) is None  # shown at once
        assert not server.answering  # what its header says is asked again when the sources are read
        await scanning.scan(server, [project])
        assert project.working() is None
        assert threads(document) == 128
        server.dispose()

    asyncio.run(started())


def test_threads_run_before_anything_is_remembered(tmp_path: Path) -> None:
    """One that starts later stands between what is let go of."""
    server = Server()
    assert len(server._readers._threads) == 2
    server.dispose()


def test_what_takes_long_to_read_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_SOON", 0.01)

    async def started() -> None:
        server, project, document = begun(tmp_path)
        while threads(document) is None:
            await asyncio.sleep(0.01)
        assert project.unread
        server.dispose()

    asyncio.run(asyncio.wait_for(started(), 30))
