"""TCP and WebSocket: clients side by side."""

from __future__ import annotations

import contextlib
import re
import socket
import time
from collections.abc import Callable, Iterator

import pytest

from .conftest import Start
from .pipe import PATIENCE, Client, Message, Server

URI = "file:///nowhere/kernel.cu"
KERNEL = "__global__ void __launch_bounds__(256) scale(float *x) { x[0] *= 2; }\n"


def port(server: Server) -> int:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := re.search(rb"listening on \w+://[^ ]+:(\d+)", server.stderr()):
            return int(found[1])
        time.sleep(0.05)
    raise AssertionError(server.stderr())


def hang_up(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


@pytest.fixture
def connect(start: Start) -> Iterator[Callable[[], Client]]:
    server = start("--tcp", "127.0.0.1:0")
    number = port(server)
    with contextlib.ExitStack() as open_sockets:

        def connect() -> Client:
            connection = socket.create_connection(("127.0.0.1", number))
            open_sockets.callback(hang_up, connection)
            return Client(connection.makefile("rb"), connection.makefile("wb"), lambda: hang_up(connection))

        yield connect


def test_a_second_client_does_not_disturb_the_first(connect: Callable[[], Client]) -> None:
    first, second = connect(), connect()
    first.initialize()
    second.initialize({"general": {"positionEncodings": ["utf-8"]}})
    first.open(URI, KERNEL)
    assert second.hints(URI) == []
    assert len(first.hints(URI)) == 1
    second.ask("shutdown")
    second.notify("exit")
    assert len(first.hints(URI)) == 1
    third = connect()
    third.initialize()
    assert third.hints(URI) == []


def test_a_client_that_vanishes(connect: Callable[[], Client]) -> None:
    first, second = connect(), connect()
    first.initialize()
    first.send(b"Content-Length: 100\r\n\r\n{")
    first.hang_up()
    second.initialize()
    assert second.ask("occupancy/devices")


def test_a_port_that_is_taken(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        server = start("--tcp", f"127.0.0.1:{taken.getsockname()[1]}")
        assert server.process.wait(PATIENCE) == 2
        assert server.stderr().startswith(b"occupancy-lsp: ")
        assert b"Traceback" not in server.stderr()


@pytest.mark.parametrize("arguments", [["--tcp", "2087"], ["--tcp", "host:99999"], ["--stdio", "--tcp", "a:1"]])
def test_options_that_make_no_sense(start: Start, arguments: list[str]) -> None:
    server = start(*arguments)
    assert server.process.wait(PATIENCE) == 2
    assert b"Traceback" not in server.stderr()


def test_websocket(start: Start) -> None:
    import json

    from websockets.sync import client

    server = start("--ws", "127.0.0.1:0")
    address = f"ws://127.0.0.1:{port(server)}"
    with client.connect(address) as first, client.connect(address) as second:

        def ask(connection: object, number: int, method: str, params: object) -> Message:
            connection.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))  # type: ignore[attr-defined]
            while (message := json.loads(connection.recv(PATIENCE))).get("id") != number:  # type: ignore[attr-defined]
                pass
            return dict(message)

        for connection in (first, second):
            assert "result" in ask(
                connection, 1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}}
            )
        command = {"command": "occupancy.selectDevice", "arguments": ["a100"]}
        assert ask(first, 2, "workspace/executeCommand", command)["result"] is None
        assert ask(second, 2, "occupancy/devices", {})["result"]
        assert ask(second, 3, "shutdown", None)["result"] is None
