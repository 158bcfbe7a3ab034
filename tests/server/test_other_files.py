"""What stands in other files of the folder: read in the background, shown once it is there, read again on changes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from .conftest import Start
from .pipe import Server
from .test_workspace import FULL, changed

HEADER = "#pragma once\nconstexpr int THREADS = {};\n"
KERNEL = """\
#include "sizes.h"
// occupancy: regs=32
__global__ void __launch_bounds__(THREADS) scale(float *x) { x[0] *= 2; }
void run(float *x) { scale<<<1, THREADS>>>(x); }
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "sizes.h").write_text(HEADER.format(96))
    (root / "scale.cu").write_text(KERNEL)
    return root


def begun(start: Start, root: Path) -> Server:
    """A server with a cache of its own, that has been told of the folder."""
    server = start("--stdio", environment={"XDG_CACHE_HOME": str(root.parent / "caches")})
    server.initialize(FULL, [root])
    return server


def read(server: Server) -> None:
    server.next("$/progress", lambda p: p["value"]["kind"] == "end")


def opened(server: Server, path: Path) -> str:
    server.open(path.as_uri(), path.read_text())
    return path.as_uri()


def labels(server: Server, uri: str) -> list[str]:
    return [str(hint["label"]).strip() for hint in server.hints(uri)]


def refreshed_to(server: Server, uri: str, wanted: str | None) -> None:
    """The hint comes after a refresh, and nobody has to touch the document for it. `wanted` None: no hint."""
    deadline = time.monotonic() + 30
    while not (any(wanted in it for it in labels(server, uri)) if wanted else labels(server, uri) == []):
        assert time.monotonic() < deadline, labels(server, uri)
        server.next("workspace/inlayHint/refresh")


def test_a_hint_takes_the_value_of_a_header(start: Start, root: Path) -> None:
    server = begun(start, root)
    refreshed_to(server, opened(server, root / "scale.cu"), "98.44%")
    assert server.leave() == 0


def test_a_header_that_changes_on_disk(start: Start, root: Path) -> None:
    server = begun(start, root)
    uri = opened(server, root / "scale.cu")
    refreshed_to(server, uri, "98.44%")
    (root / "sizes.h").write_text(HEADER.format(1024))
    changed(server, root / "sizes.h")
    refreshed_to(server, uri, "100%")
    (root / "sizes.h").unlink()
    changed(server, root / "sizes.h")
    refreshed_to(server, uri, None)  # nothing bounds the sizes it may be launched with
    (root / "sizes.h").write_text(HEADER.format(96))
    changed(server, root / "sizes.h")
    refreshed_to(server, uri, "98.44%")


def test_a_save_that_changes_nothing_refreshes_once(start: Start, root: Path) -> None:
    server = begun(start, root)
    uri = opened(server, root / "scale.cu")
    read(server)
    refreshed_to(server, uri, "98.44%")
    time.sleep(0.3)
    before = len(server.of("workspace/inlayHint/refresh"))
    changed(server, root / "scale.cu")
    time.sleep(0.5)
    labels(server, uri)
    time.sleep(0.5)
    # One for the event; what is worked out again comes out as it was, and nobody is told.
    assert len(server.of("workspace/inlayHint/refresh")) <= before + 1


def test_reading_can_be_cancelled(start: Start, root: Path) -> None:
    for i in range(3000):
        (root / f"k{i}.cu").write_text(KERNEL)
    server = begun(start, root)
    token = server.next("window/workDoneProgress/create")["token"]
    server.next("$/progress")
    server.notify("window/workDoneProgress/cancel", {"token": token})
    end = server.next("$/progress", lambda p: p["value"]["kind"] == "end")
    assert end["value"]["message"] == "cancelled"
    # What the file includes itself is found on the disk.
    refreshed_to(server, opened(server, root / "scale.cu"), "98.44%")
    assert server.leave() == 0


def test_a_second_start_uses_what_the_first_has_read(start: Start, root: Path) -> None:
    read(begun(start, root))
    caches = root.parent / "caches" / "occupancy-lsp" / "index"
    deadline = time.monotonic() + 30
    while not list(caches.glob("*.json")) and time.monotonic() < deadline:
        time.sleep(0.05)
    [kept] = caches.glob("*.json")
    assert "sizes.h" in kept.read_text()
    written = kept.stat().st_mtime_ns
    server = begun(start, root)
    read(server)
    assert server.leave() == 0
    assert kept.stat().st_mtime_ns == written  # nothing was new
    refreshed_to(again := begun(start, root), opened(again, root / "scale.cu"), "98.44%")
