"""The server on standard input and output, for the editor that started it."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from contextlib import suppress
from typing import BinaryIO

from occupancy_lsp.server import messages, parent
from occupancy_lsp.server.conversation import QuietWriter, converse
from occupancy_lsp.server.frames import Frames
from occupancy_lsp.server.inbox import Inbox
from occupancy_lsp.server.wiring import create_server

_CHUNK = 1 << 16
_LAST_WORDS = 3.0


def serve(client_pid: int | None = None) -> int:
    """`client_pid`: the editor's process where it says so on the command line, not only in `initialize`."""
    source, wire = _claim_pipes()
    return asyncio.run(_serve(source, wire, client_pid))


def _claim_pipes() -> tuple[BinaryIO, int]:
    """Both pipes for the protocol alone: what prints goes to stderr, what reads standard input finds it empty."""
    source, wire = os.fdopen(os.dup(0), "rb", 0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2 if sys.stderr else nothing, 1)
    os.close(nothing)
    sys.stdout = sys.stderr
    return source, wire


async def _serve(source: BinaryIO, wire: int, client_pid: int | None) -> int:
    server, inbox = create_server(), Inbox()

    def send(data: bytes) -> None:
        rest = memoryview(
            data
        )  # a file object would keep what a closed pipe did not take, and fail once more at the end
        while rest:
            rest = rest[os.write(wire, rest) :]

    server.protocol.set_writer(QuietWriter(send, inbox.abandon))
    _start_reader(source, inbox)
    stated = parent.editor(client_pid)
    watcher = asyncio.ensure_future(parent.watch(lambda: stated or server.editor, inbox.abandon))
    code = await converse(server, inbox)
    watcher.cancel()
    _end_soon(code)
    return code


def _start_reader(source: BinaryIO, inbox: Inbox) -> None:
    loop = asyncio.get_running_loop()

    frames = Frames()

    def take(data: bytes) -> None:  # what it makes of them is gone while the next are waited for
        if arrived := [messages.read(body) for body in frames.feed(data)]:
            loop.call_soon_threadsafe(inbox.put, arrived)

    def read() -> None:
        with suppress(OSError, RuntimeError):  # the pipe is gone, or the loop
            while data := source.read(_CHUNK):
                take(data)
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(inbox.end)

    # A daemon: nothing wakes a thread that reads a pipe, and the process must be able to end without it.
    threading.Thread(target=read, name="stdin", daemon=True).start()


def _end_soon(code: int) -> None:
    """Python waits for threads that are still reading a slow disk; the editor does not."""
    reaper = threading.Timer(_LAST_WORDS, os._exit, [code])
    reaper.daemon = True
    reaper.start()
