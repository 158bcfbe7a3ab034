"""The server on TCP and WebSocket: each client gets a server object of its own, so that none answers for another."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from occupancy_lsp.server.conversation import QuietWriter, converse
from occupancy_lsp.server.frames import Frames
from occupancy_lsp.server.wiring import create_server

_CHUNK = 1 << 16


def serve_tcp(host: str, port: int) -> int:
    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server = create_server()
        server.protocol.set_writer(QuietWriter(writer.write))
        await converse(server, _bodies(reader))
        writer.close()

    async def listen() -> None:
        listener = await asyncio.start_server(client, host, port)
        _announce("tcp", listener.sockets[0].getsockname())
        await listener.serve_forever()

    return _run(listen)


async def _bodies(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    frames = Frames()
    with suppress(OSError, ValueError):
        while data := await reader.read(_CHUNK):
            for body in frames.feed(data):
                yield body
                await asyncio.sleep(0)


def serve_websocket(host: str, port: int) -> int:
    try:
        websockets = import_module("websockets.asyncio.server")
    except ImportError:
        print("occupancy-lsp: --ws needs the package websockets: pip install websockets", file=sys.stderr)
        return 2

    async def client(connection: Any) -> None:
        server = create_server()
        server.protocol.set_writer(_WebSocketWriter(connection), include_headers=False)
        await converse(server, _messages(connection))

    async def listen() -> None:
        listener = await websockets.serve(client, host, port, max_size=None)
        _announce("ws", next(iter(listener.sockets)).getsockname())
        await listener.serve_forever()

    return _run(listen)


class _WebSocketWriter:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def write(self, data: bytes) -> None:
        # A client that has gone is noticed by the reading side.
        with suppress(_closed()):
            await self._connection.send(data.decode())

    async def close(self) -> None:
        await self._connection.close()


async def _messages(connection: Any) -> AsyncIterator[bytes]:
    with suppress(_closed()):
        while True:
            yield await connection.recv(decode=False)
            await asyncio.sleep(0)


def _closed() -> type[Exception]:
    closed: type[Exception] = import_module("websockets.exceptions").ConnectionClosed
    return closed


def _announce(scheme: str, name: tuple[object, ...]) -> None:
    print(f"occupancy-lsp: listening on {scheme}://{name[0]}:{name[1]}", file=sys.stderr, flush=True)


def _run(listen: Callable[[], Awaitable[None]]) -> int:
    async def main() -> None:
        await listen()

    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        print(f"occupancy-lsp: {error.strerror or error}", file=sys.stderr)
        return 2
    return 0
