"""`initialize` is answered before the server is loaded, with what the whole server would answer."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as t
from pygls.capabilities import ServerCapabilitiesBuilder

from occupancy_lsp.server import messages
from occupancy_lsp.server.client import Client
from occupancy_lsp.server.greeting import answer, greeting
from occupancy_lsp.server.wiring import create_server

from .conftest import Start
from .pipe import COMMAND, Message, frame

PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
HELLO: Message = {"processId": None, "rootUri": None, "capabilities": {}}


class Sent:
    def __init__(self) -> None:
        self.messages: list[Any] = []

    def write(self, data: bytes) -> None:
        self.messages.append(json.loads(data))

    def close(self) -> None:
        pass


def body_of(params: object, number: object = 1) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "initialize", "params": params}).encode()


@pytest.mark.parametrize("capabilities", [{}, PULLS, {"general": {"positionEncodings": ["utf-8"]}}])
def test_the_whole_server_answers_the_same(capabilities: Message) -> None:
    body, server, sent = body_of({**HELLO, "capabilities": capabilities}), create_server(), Sent()
    server.protocol.set_writer(sent, include_headers=False)
    server.protocol.receive(messages.read(body))
    said = greeting(body)
    assert said is not None
    assert json.loads(said.text.split(b"\r\n\r\n")[1]) == sent.messages[0]


def test_all_that_there_is_is_told() -> None:
    """Against pygls, which works it out of what is registered."""
    fm = create_server().protocol.fm
    features = {*fm.features, *fm.builtin_features}
    built = ServerCapabilitiesBuilder(
        t.ClientCapabilities(), features, {}, [*fm.commands], t.TextDocumentSyncKind.Incremental, None, None
    ).build()  # type: ignore[no-untyped-call]
    told = answer(Client(pulls_diagnostics=True))["capabilities"]
    named = {it.name for it in built.__attrs_attrs__ if getattr(built, it.name) is not None}
    assert {re.sub("[A-Z]", lambda it: "_" + it[0].lower(), key) for key in told} == {*named, "position_encoding"}
    assert told["executeCommandProvider"]["commands"] == built.execute_command_provider.commands


@pytest.mark.parametrize(
    "more",
    [
        {"processId": "1"},
        {"rootUri": 7},
        {"workspaceFolders": [{"uri": "file:///x"}]},
        {"workspaceFolders": "all"},
        {"initializationOptions": []},
    ],
)
def test_what_is_not_understood_is_left_to_the_whole_server(more: Message) -> None:
    assert greeting(body_of({**HELLO, **more})) is None


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"[" * 100_000, b'{"method": "initialize"}', body_of([]), body_of(HELLO, True)]
)
def test_what_is_no_first_message_is_left_to_the_whole_server(body: bytes) -> None:
    assert greeting(body) is None


def test_what_comes_along_with_the_first_message_is_not_lost() -> None:
    """All at once, before anybody listens; one answer each."""
    every = [body_of(HELLO), b'{"jsonrpc": "2.0", "method": "initialized", "params": {}}', body_of(HELLO, 2)]
    every += [b'{"jsonrpc": "2.0", "id": 3, "method": "shutdown"}', b'{"jsonrpc": "2.0", "method": "exit"}']
    done = subprocess.run(COMMAND, input=b"".join(map(frame, every)), capture_output=True, check=True, timeout=60)
    bodies = [json.loads(it.split(b"\r\n\r\n", 1)[1]) for it in done.stdout.split(b"Content-Length: ")[1:]]
    answers = {it["id"]: "error" in it for it in bodies if "id" in it and "method" not in it}
    assert answers == {1: False, 2: True, 3: False}
    assert sum(it.get("id") == 1 and "method" not in it for it in bodies) == 1


# Python imports it at start: the protocol's types are not found before there is a file `open`.
GATE = """
import os, sys, time
class Gate:
    def find_spec(self, name, path=None, target=None):
        while name == "lsprotocol" and not os.path.exists(os.path.join(os.path.dirname(__file__), "open")):
            time.sleep(0.01)
sys.meta_path.insert(0, Gate())
"""


def test_the_answer_does_not_wait_for_the_server_to_be_loaded(start: Start, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(GATE)
    server = start("--stdio", environment={"PYTHONPATH": str(tmp_path)})
    assert server.initialize()["capabilities"]["inlayHintProvider"]
    (tmp_path / "open").touch()
    server.open("file:///nowhere/k.cu", "__global__ void __launch_bounds__(256) k(float *x) { x[0] = 1; }\n")
    assert server.hints("file:///nowhere/k.cu")


def test_it_loads_nothing_that_is_slow() -> None:
    code = "import sys, occupancy_lsp.server.pipes; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"pygls", "lsprotocol", "asyncio", "attrs"} & {it.split(".")[0] for it in loaded}
