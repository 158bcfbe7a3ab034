"""The server on TCP and WebSocket: each client gets a server object of its own, so that none answers for another.

Until a client has shown the token (see `admission`), nothing is computed for it and no file is read.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import suppress
from importlib import import_module
from typing import Any

from occupancy_lsp.server import messages
from occupancy_lsp.server.admission import WRONG_TOKEN, Door, is_loopback
from occupancy_lsp.server.conversation import QuietWriter, converse
from occupancy_lsp.server.frames import MOST_BYTES, Frames
from occupancy_lsp.server.inbox import Inbox
from occupancy_lsp.server.messages import Message
from occupancy_lsp.server.wiring import create_server

_CHUNK = 1 << 16
_MOST_CLIENTS = 64
_PATIENCE = 10.0  # seconds in which a client must have shown the token
_FIRST_BYTES = 1 << 20  # in which it must have done so


def serve_tcp(host: str, port: int) -> int:
    return _run(lambda: _listen_tcp(host, port))


async def _listen_tcp(host: str, port: int) -> None:
    clients = 0

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal clients
        clients += 1
        try:
            if clients <= _MOST_CLIENTS:
                await _serve_stream(door, reader, writer)
        finally:
            clients -= 1
            writer.close()

    listener = await asyncio.start_server(client, host, port, start_serving=False)
    name = listener.sockets[0].getsockname()
    door = Door(is_loopback(name[0]))
    await listener.start_serving()
    _announce(f"tcp://{_authority(name)}", door)
    _say(
        f'a client presents the token in the request `initialize`: "initializationOptions": {{"token": "{door.token}"}}'
    )
    await listener.serve_forever()


async def _serve_stream(door: Door, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    frames = Frames()
    try:
        first = await asyncio.wait_for(_first(frames, reader), _PATIENCE)
    except (asyncio.TimeoutError, OSError):
        return
    if first and door.admits(first[0]):
        await _talk(QuietWriter(writer.write), _cut(frames, reader), first)
    elif first:
        error = {"code": -32600, "message": WRONG_TOKEN}
        body = json.dumps({"jsonrpc": "2.0", "id": first[0].id, "error": error}).encode()
        writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


async def _first(frames: Frames, reader: asyncio.StreamReader) -> list[Message]:
    """The first message and those that came along; none if the client leaves or sends something else."""
    size = 0
    while size < _FIRST_BYTES and (data := await reader.read(_CHUNK)):
        size += len(data)
        if arrived := [messages.read(body) for body in frames.feed(data)]:
            return arrived
    return []


async def _cut(frames: Frames, reader: asyncio.StreamReader) -> AsyncIterator[list[bytes]]:
    with suppress(OSError):
        while data := await reader.read(_CHUNK):
            yield [*frames.feed(data)]


def serve_websocket(host: str, port: int) -> int:
    try:
        websockets = import_module("websockets.asyncio.server")
    except ImportError:
        _say("--ws needs the package websockets: pip install websockets")
        return 2
    return _run(lambda: _listen_websocket(websockets.serve, host, port))


async def _listen_websocket(serve: Any, host: str, port: int) -> None:
    clients = 0

    def refuse(connection: Any, request: Any) -> Any:
        headers = (request.headers.get_all(name) for name in ("Host", "Origin", "Authorization"))
        if why := door.refuses(request.path, *headers):
            return connection.respond(403, f"{why}\n")
        return connection.respond(503, "too many clients\n") if clients >= _MOST_CLIENTS else None

    async def client(connection: Any) -> None:
        nonlocal clients
        clients += 1
        try:
            writer = _WebSocketWriter(connection)
            await _talk(writer, _received(connection))
            await writer.sent()
        finally:
            clients -= 1

    quiet = logging.Logger("occupancy-lsp.websockets", logging.CRITICAL + 1)
    limits = {"max_size": MOST_BYTES, "open_timeout": _PATIENCE}
    listener = await serve(client, host, port, process_request=refuse, logger=quiet, start_serving=False, **limits)
    name = next(iter(listener.sockets)).getsockname()
    door = Door(is_loopback(name[0]))
    await listener.start_serving()
    _announce(f"ws://{_authority(name)}/?token={door.token}", door)
    await listener.serve_forever()


class _WebSocketWriter:
    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._sending: set[asyncio.Task[None]] = set()

    def write(self, data: bytes) -> None:
        task = asyncio.ensure_future(self._send(data.decode()))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send(self, text: str) -> None:
        # A client that has gone is noticed by the reading side.
        with suppress(_closed()):
            await self._connection.send(text)

    async def sent(self) -> None:
        """Wait until all has been."""
        await asyncio.gather(*self._sending)

    def close(self) -> None:
        pass  # whoever opened the connection closes it


async def _received(connection: Any) -> AsyncIterator[list[bytes]]:
    with suppress(_closed()):
        while True:
            yield [await connection.recv(decode=False)]


def _closed() -> type[Exception]:
    closed: type[Exception] = import_module("websockets.exceptions").ConnectionClosed
    return closed


async def _talk(writer: Any, bodies: AsyncIterator[list[bytes]], first: Iterable[Message] = ()) -> None:
    """With a client that was let in."""
    server, inbox = create_server(remote=True), Inbox()
    server.protocol.set_writer(writer, include_headers=isinstance(writer, QuietWriter))
    inbox.put(first)

    async def read() -> None:
        async for arrived in bodies:
            inbox.put(map(messages.read, arrived))
            await inbox.room()
        inbox.end()

    reading = asyncio.ensure_future(read())
    try:
        await converse(server, inbox)
    finally:
        reading.cancel()


def _authority(name: tuple[Any, ...]) -> str:
    return f"[{name[0]}]:{name[1]}" if ":" in name[0] else f"{name[0]}:{name[1]}"


def _announce(url: str, door: Door) -> None:
    _say(f"listening on {url}")
    if door.loopback:
        _say("only programs on this machine can connect")
    else:
        _say("warning: other machines can connect, and nothing is encrypted: anyone with the token can read your files")


def _say(text: str) -> None:
    print(f"occupancy-lsp: {text}", file=sys.stderr, flush=True)


def _run(listen: Callable[[], Awaitable[None]]) -> int:
    async def main() -> None:
        await listen()

    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        _say(error.strerror or str(error))
        return 2
    return 0
