"""The server on standard input and output, for the editor that started it."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from typing import BinaryIO

from occupancy_lsp.server import parent
from occupancy_lsp.server.conversation import QuietWriter, converse
from occupancy_lsp.server.frames import Frames
from occupancy_lsp.server.wiring import create_server

_CHUNK = 1 << 16
_LAST_WORDS = 3.0


def serve(client_pid: int | None = None) -> int:
    """`client_pid`: the editor's process where it says so on the command line, not only in `initialize`."""
    source, wire = _claim_pipes()
    return asyncio.run(_serve(source, wire, client_pid))


def _claim_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Both pipes for the protocol alone: what prints goes to stderr, what reads standard input finds it empty."""
    source, wire = os.fdopen(os.dup(0), "rb", 0), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2 if sys.stderr else nothing, 1)
    os.close(nothing)
    sys.stdout = sys.stderr
    return source, wire


async def _serve(source: BinaryIO, wire: BinaryIO, client_pid: int | None) -> int:
    server = create_server()

    def send(data: bytes) -> None:
        wire.write(data)
        wire.flush()

    server.protocol.set_writer(QuietWriter(send))
    bodies: asyncio.Queue[bytes | None] = asyncio.Queue()

    def ended() -> None:
        bodies.put_nowait(None)

    _start_reader(source, bodies.put_nowait, ended)
    stated = parent.editor(client_pid)
    watcher = asyncio.ensure_future(parent.watch(lambda: stated or server.editor, ended))
    code = await converse(server, _drain(bodies))
    watcher.cancel()
    _end_soon(code)
    return code


def _start_reader(source: BinaryIO, received: Callable[[bytes], None], ended: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()

    def read() -> None:
        frames = Frames()
        try:
            while data := source.read(_CHUNK):
                for body in frames.feed(data):
                    loop.call_soon_threadsafe(received, body)
        except (OSError, ValueError) as error:
            print(f"occupancy-lsp: {error}", file=sys.stderr)
        loop.call_soon_threadsafe(ended)

    # A daemon: nothing wakes a thread that reads a pipe, and the process must be able to end without it.
    threading.Thread(target=read, name="stdin", daemon=True).start()


async def _drain(bodies: asyncio.Queue[bytes | None]) -> AsyncIterator[bytes]:
    while (body := await bodies.get()) is not None:
        yield body
        if not bodies.empty():
            await asyncio.sleep(0)


def _end_soon(code: int) -> None:
    """Python waits for threads that are still reading a slow disk; the editor does not."""
    reaper = threading.Timer(_LAST_WORDS, os._exit, [code])
    reaper.daemon = True
    reaper.start()
