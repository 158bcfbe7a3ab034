"""TCP and WebSocket: clients side by side, and who is not let in."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_websocket

from occupancy_lsp import __version__
from occupancy_lsp.server.admission import Door, is_loopback
from occupancy_lsp.server.app import address

from .conftest import Start
from .pipe import PATIENCE, Client, Message, Server, between

URI = "file:///nowhere/kernel.cu"
KERNEL = "__global__ void __launch_bounds__(256) scale(float *x) { x[0] *= 2; }\n"
HELLO: Message = {"processId": None, "rootUri": None, "capabilities": {}}


def told(server: Server, pattern: str) -> str:
    """What the server prints when it listens."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := re.search(pattern, server.stderr().decode()):
            return found[1]
        time.sleep(0.05)
    raise AssertionError(server.stderr())


def hang_up(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


class Listening:
    """A server on a TCP port, and connections to it."""

    def __init__(self, server: Server, connections: contextlib.ExitStack) -> None:
        self.port = int(told(server, r"listening on tcp://127\.0\.0\.1:(\d+)"))
        self.token = told(server, r'"token": "([^"]+)"')
        self._connections = connections

    def connect(self) -> Client:
        connection = socket.create_connection(("127.0.0.1", self.port))
        self._connections.callback(hang_up, connection)
        return Client(connection.makefile("rb"), connection.makefile("wb"), lambda: hang_up(connection))

    def enter(self, **params: Any) -> Client:
        client = self.connect()
        client.initialize(initializationOptions={"token": self.token}, **params)
        return client


@pytest.fixture
def listening(start: Start) -> Iterator[Listening]:
    with contextlib.ExitStack() as connections:
        yield Listening(start("--tcp", "127.0.0.1:0"), connections)


def test_a_second_client_does_not_disturb_the_first(listening: Listening) -> None:
    first, second = listening.enter(), listening.enter(capabilities={"general": {"positionEncodings": ["utf-8"]}})
    first.open(URI, KERNEL)
    assert second.hints(URI) == []
    assert len(first.hints(URI)) == 1
    second.ask("shutdown")
    second.notify("exit")
    assert len(first.hints(URI)) == 1
    assert listening.enter().hints(URI) == []
    # One that vanishes in the middle of a message disturbs nobody either.
    third = listening.enter()
    third.send(b"Content-Length: 100\r\n\r\n{")
    third.hang_up()
    assert listening.enter().ask("occupancy/devices")
    assert not [text for it in first.received if "token" in (text := json.dumps(it))]


def test_who_does_not_show_the_token_is_turned_away(listening: Listening) -> None:
    for offered in (None, {}, {"token": None}, {"token": "x"}, {"token": [listening.token]}, listening.token):
        client = listening.connect()
        answer = client.response(client.request("initialize", {**HELLO, "initializationOptions": offered}))
        assert "token" in answer["error"]["message"]
        turned_away(client)


def test_nothing_is_done_before_the_token_is_shown(listening: Listening) -> None:
    for first in ("occupancy/devices", "shutdown", "textDocument/hover", "no/such"):
        client = listening.connect()
        number = client.request(first)
        client.request("initialize", {**HELLO, "initializationOptions": {"token": listening.token}})
        assert "token" in client.response(number)["error"]["message"]
        turned_away(client)
    # A page in a browser can send a form to any port.
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO})
    page = listening.connect()
    page.send(f"POST / HTTP/1.1\r\nOrigin: http://a.example\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
    turned_away(page)
    noisy = listening.connect()
    with contextlib.suppress(OSError):
        noisy.send(b"x" * (2 << 20))
    turned_away(noisy)


def turned_away(client: Client) -> None:
    with pytest.raises(AssertionError, match="not received"):
        client.response("nothing more")
    assert client.ended
    assert len(client.received) <= 1


def test_a_port_that_is_taken(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        server = start("--tcp", f"127.0.0.1:{taken.getsockname()[1]}")
        assert server.process.wait(PATIENCE) == 2
        assert server.stderr().startswith(b"occupancy-lsp: ")
        assert b"Traceback" not in server.stderr()


@pytest.mark.parametrize("arguments", [["--tcp", "host"], ["--ws", "host:99999"], ["--stdio", "--tcp", "a:1"]])
def test_options_that_make_no_sense(start: Start, arguments: list[str]) -> None:
    server = start(*arguments)
    assert server.process.wait(PATIENCE) == 2
    assert b"Traceback" not in server.stderr()


def test_an_address_without_a_host_is_this_machine() -> None:
    assert address("2087") == address(":2087") == ("127.0.0.1", 2087)
    assert address("[::1]:7") == ("::1", 7)
    assert address("0.0.0.0:7") == ("0.0.0.0", 7)
    assert [is_loopback(it) for it in ("127.0.0.1", "127.8.8.8", "::1", "0.0.0.0", "::", "192.168.1.2")] == [
        True, True, True, False, False, False
    ]  # fmt: skip


def test_websocket(start: Start, tmp_path: Path) -> None:
    server = start("--ws", "0")
    url = told(server, r"listening on (ws://127\.0\.0\.1:\d+/\?token=\S+)")
    assert "only programs on this machine" in server.stderr().decode()
    plain, token = url.split("/?token=")

    def status(url: str, **options: Any) -> int:
        try:
            with open_websocket(url, **options):
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code

    # What a page of another machine cannot do, whatever it knows; what anybody cannot do who does not know the token.
    for origin in ("http://a.example", "https://localhost.a.example", "null", "http://localhost@a.example", "file://"):
        assert status(url, origin=origin) == 403
    for wrong in (plain, f"{plain}/?token=", f"{url}x", f"{plain}/{token}"):
        assert status(wrong) == status(wrong, origin="http://localhost:3000") == 403
    assert status(url.replace("127.0.0.1", "localhost"), origin="http://localhost:3000") == 101
    assert status(plain, additional_headers={"Authorization": f"Bearer {token}"}) == 101

    with open_websocket(url) as first, open_websocket(url) as second:
        for connection in (first, second):
            assert "result" in ask(connection, 1, "initialize", HELLO)
        command = {"command": "occupancy.selectDevice", "arguments": ["a100"]}
        assert ask(first, 2, "workspace/executeCommand", command)["result"] is None
        assert ask(second, 2, "occupancy/devices", {})["result"]
        assert ask(second, 3, "shutdown", None)["result"] is None
    assert server.stderr().count(b"\n") == 2


def test_frames_that_are_none_disturb_nobody(start: Start) -> None:
    """Of who shows no token, and of who does."""
    server = start("--ws", "0")
    url = told(server, r"listening on (ws://127\.0\.0\.1:\d+/\?token=\S+)")
    address, path = re.findall(r"ws://([^/]+)(/\S+)", url)[0]
    host, port = address.split(":")
    hello = (
        f"GET {path} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()
    frames = [
        bytes(range(256)) * 20,
        b"\x81\xff" + b"\x3f" * 8 + b"abcd",  # of an exabyte
        b"\x81\xfe\xff\xffabcd",  # whose rest never comes
        b"\x01\x80abcd" * 2000,
        b"\x89\xfe\x04\x00abcd" + b"x" * 1024,
        b"\x81\x05hello",  # unmasked
        b"\x82\x85abcd" + b"\xff" * 5,
        b"\x81\x80abcd" * 5000,
    ]
    with open_websocket(url) as client, contextlib.ExitStack() as connections:
        assert "result" in ask(client, 1, "initialize", HELLO)
        for number, (before, sent) in enumerate((it, frame) for it in (b"", hello[:60], hello) for frame in frames):
            connection = socket.create_connection((host, int(port)))
            connections.callback(hang_up, connection)
            connection.sendall(before)
            with contextlib.suppress(OSError):
                connection.sendall(sent)
            assert ask(client, number + 2, "occupancy/devices", {})["result"]
    assert server.stderr().count(b"\n") == 2


def ask(connection: ClientConnection, number: int, method: str, params: object) -> Message:
    connection.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
    while (message := json.loads(connection.recv(PATIENCE))).get("id") != number:
        pass
    return dict(message)


def test_a_name_that_was_made_to_mean_this_machine() -> None:
    door = Door(loopback=True)
    path = f"/?token={door.token}"
    assert door.refuses(path, ["localhost:2087"], [], []) is None
    for hosts in ([], ["a.example:2087"], ["localhost", "a.example"], ["127.0.0.1.a.example"]):
        assert door.refuses(path, hosts, [], [])
    assert Door(loopback=False, token=door.token).refuses(path, ["server.example:2087"], [], []) is None


def test_a_client_of_the_network_starts_no_compiler(listening: Listening, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(KERNEL)
    client = listening.connect()
    client.answers["workspace/configuration"] = lambda params: [{"compile": "workspace"} for _ in params["items"]]
    client.initialize(folders=[tmp_path], initializationOptions={"token": listening.token, "compile": "workspace"})
    uri = (tmp_path / "a.cu").as_uri()
    client.open(uri, KERNEL)
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    said = client.next("window/logMessage", lambda params: "compile" in params["message"])
    assert "network" in said["message"]
    for name in ("compileFile", "compileWorkspace", "showCompilation"):
        asked = {"command": f"occupancy.{name}", "arguments": [uri]}
        assert client.ask("workspace/executeCommand", asked) is None
    asked = {"command": "occupancy.tryBounds", "arguments": [uri, "scale"]}
    assert client.ask("workspace/executeCommand", asked) is None
    assert client.ask("occupancy/compiler", {"uri": uri}) == {"compiler": "", "wheels": ""}
    assert client.ask("occupancy/detect", {}) == []
    assert client.ask("occupancy/about", {}) == [f"occupancy-lsp {__version__}"]
    where = {"textDocument": {"uri": uri}, "range": between((0, 0), (9, 0)), "context": {"diagnostics": []}}
    assert not [it for it in client.ask("textDocument/codeAction", where) if "ompile" in it["title"]]
    assert not [it for it in client.of("$/progress") if "compiling" in json.dumps(it)]
