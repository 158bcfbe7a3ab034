"""One client, one server object: messages in until the client leaves."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable

from occupancy_lsp.core.memory import give_back_early
from occupancy_lsp.server.inbox import Inbox
from occupancy_lsp.server.server import Server

_START = 10.0  # seconds


class QuietWriter:
    """Writes until the other side has gone."""

    def __init__(self, write: Callable[[bytes], object], gone: Callable[[], None] = lambda: None) -> None:
        self._write = write
        self._gone = gone
        self._broken = False

    def write(self, data: bytes) -> None:
        try:
            if not self._broken:
                self._write(data)
        except (OSError, ValueError):
            self._broken = True
            self._gone()

    def close(self) -> None:
        pass  # whoever opened the connection closes it


async def converse(server: Server, inbox: Inbox) -> int:
    """Handle the messages. Returns the exit code that the protocol asks for: 1 without a `shutdown`."""
    give_back_early()
    gc.disable()
    gc.set_threshold(20_000, 100, 100)  # what a keystroke makes is small, too, and must not wait for a long collection
    server.rested = inbox.wait_anew
    start = asyncio.get_running_loop().call_later(_START, _collect)
    try:
        while await _handle_next(server, inbox):
            pass
    finally:
        start.cancel()
        gc.enable()  # for the next client
        server.dispose()
    return 0 if server.protocol.shut_down else 1


def _collect() -> None:
    """From now on; what was made at the start, of modules and of what the workspace says, stays: it is left out."""
    gc.freeze()
    gc.enable()


async def _handle_next(server: Server, inbox: Inbox) -> bool:
    """False: it was the last message."""
    message = await inbox.next()
    if message is not None:
        server.protocol.receive(message)
    return message is not None and not server.protocol.exited
