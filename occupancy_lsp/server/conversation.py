"""One client, one server object: messages in until the client leaves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from occupancy_lsp.server.server import Server


class QuietWriter:
    """Writes until the other side has gone. That it has gone is for the reading side to notice."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._broken = False

    def write(self, data: bytes) -> None:
        try:
            if not self._broken:
                self._write(data)
        except (OSError, ValueError):
            self._broken = True

    def close(self) -> None:
        pass  # whoever opened the connection closes it


async def converse(server: Server, bodies: AsyncIterator[bytes]) -> int:
    """Handle the messages. Returns the exit code that the protocol asks for: 1 without a `shutdown`.

    `bodies` gives way after each that others wait behind: a burst must not keep timers and replies waiting.
    """
    try:
        async for body in bodies:
            server.protocol.receive(body)
            if server.protocol.exited:
                break
    finally:
        server.dispose()
    return 0 if server.protocol.shut_down else 1
