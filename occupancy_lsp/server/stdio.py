"""The server on standard input and output, for the editor that started it."""

from __future__ import annotations

import asyncio
import os
import threading
from contextlib import suppress

from occupancy_lsp.server import messages, parent
from occupancy_lsp.server.conversation import QuietWriter, converse
from occupancy_lsp.server.inbox import Inbox
from occupancy_lsp.server.pipes import Body, Pipes
from occupancy_lsp.server.wiring import create_server

_LAST_WORDS = 3.0


def serve(pipes: Pipes) -> int:
    return asyncio.run(_serve(pipes))


async def _serve(pipes: Pipes) -> int:
    server, inbox = create_server(), Inbox()

    def gone() -> None:
        """Nobody reads any more: what is at work, and what still arrives, is for nobody."""
        inbox.abandon()
        server.protocol.dispose()

    server.protocol.set_writer(QuietWriter(pipes.write, gone))
    _listen(pipes, inbox)
    watcher = asyncio.ensure_future(parent.watch(lambda: pipes.editor or server.editor, inbox.abandon))
    code = await converse(server, inbox)
    watcher.cancel()
    _end_soon(code)
    return code


def _listen(pipes: Pipes, inbox: Inbox) -> None:
    loop = asyncio.get_running_loop()

    def take(bodies: list[Body]) -> None:  # what it makes of them is gone while the next are waited for
        arrived = [messages.read(body, answered) for body, answered in bodies]
        with suppress(RuntimeError):  # the loop is gone
            loop.call_soon_threadsafe(inbox.put, arrived)

    def end() -> None:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(inbox.end)

    pipes.follow(take, end)


def _end_soon(code: int) -> None:
    """Python waits for threads that are still reading a slow disk; the editor does not."""
    reaper = threading.Timer(_LAST_WORDS, os._exit, [code])
    reaper.daemon = True
    reaper.start()
