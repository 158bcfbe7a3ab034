"""The protocol without a pipe: what is rare, or would take its time."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from typing import Any

import pytest
from lsprotocol import types as t

from occupancy_lsp.server import messages
from occupancy_lsp.server.server import Server
from occupancy_lsp.server.wiring import create_server

from .pipe import Message


class Sent:
    def __init__(self) -> None:
        self.messages: list[Message] = []

    def write(self, data: bytes) -> None:
        self.messages.append(json.loads(data))

    def close(self) -> None:
        pass


def started() -> tuple[Server, Sent]:
    server, sent = create_server(), Sent()
    server.protocol.set_writer(sent, include_headers=False)
    say(server, {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}})
    assert "result" in sent.messages[-1]
    return server, sent


def say(server: Server, message: Any) -> None:
    server.protocol.receive(messages.read(json.dumps(message).encode()))


@pytest.mark.asyncio
async def test_a_client_answers_when_nobody_waits_any_more() -> None:
    server, sent = started()
    waiting = server.protocol.send_request_async("workspace/configuration", t.ConfigurationParams([]))
    asked = sent.messages[-1]["id"]
    waiting.cancel()
    await asyncio.sleep(0)
    say(server, {"id": asked, "result": []})
    say(server, {"id": asked, "result": []})


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "answer", [{"error": None}, {"error": {}}, {"error": {"code": "x", "message": 1}}, {"result": 7}]
)
async def test_a_client_answers_nonsense(answer: Message) -> None:
    server, sent = started()
    waiting = server.protocol.send_request_async("workspace/configuration", t.ConfigurationParams([]))
    say(server, {"id": sent.messages[-1]["id"], **answer})
    with pytest.raises(Exception, match=r"cannot be read"):
        await asyncio.wait_for(waiting, 5)


@pytest.mark.asyncio
async def test_a_defect_in_a_handler_of_any_kind_costs_one_answer() -> None:
    server, sent = started()

    def fail(params: object) -> None:
        raise RuntimeError("a defect")

    async def fail_later(params: object) -> None:
        fail(params)

    for handler in (fail, fail_later):
        server.protocol.fm.features["occupancy/devices"] = handler
        say(server, {"id": 2, "method": "occupancy/devices"})
        await asyncio.sleep(0.01)
        assert sent.messages.pop()["error"]["code"] == -32603
    server.protocol.fm.features["textDocument/didClose"] = fail
    say(server, {"method": "textDocument/didClose", "params": {"textDocument": {"uri": "file:///a.cu"}}})
    assert sent.messages.pop()["method"] == "window/logMessage"
    say(server, {"id": 3, "method": "shutdown"})
    assert sent.messages.pop()["result"] is None


def test_of_a_message_full_of_faults_one_is_told() -> None:
    """Each error holds its frames: all of them were 400 MB for 100 KB."""
    server, sent = started()
    tracemalloc.start()
    params = {
        "textDocument": {"uri": "file:///a.cu"},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
        "context": {"diagnostics": "x" * 20_000},
    }
    say(server, {"id": 2, "method": "textDocument/codeAction", "params": params})
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sent.messages[-1]["error"]["code"] == -32602
    assert most < 2 << 20
