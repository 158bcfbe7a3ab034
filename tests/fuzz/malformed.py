"""Messages that no client should send: the protocol's, with something wrong in the frame, the JSON or the values."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from lsprotocol import types as t

Value = Any
KERNEL = """\
// occupancy: regs=40
__global__ void __launch_bounds__(256) scale(float *x) { __shared__ int s[64]; x[0] *= s[0]; }
void run(float *x) { scale<<<1, 256>>>(x); }
"""
# Instead of any value. None names a folder that is worth a walk, or lets a compiler start.
NASTY: list[Value] = [
    None, True, False, 0, -1, 1, 2**31 - 1, 2**31, 2**63, -(2**63), 10**400, 0.5, 1e308, float("nan"), float("inf"),
    "", "\0", "\ud800", "\udc80x", "\u2028", "x" * 100_000, "💥" * 9, "file:///%00", "file://[", "file:", "//x",
    "file:///nowhere/%", "file:///nowhere/%ff.cu", "file:///" + "a/" * 3000, "file:///nowhere/" + "n" * 300, "file:///💥",
    "untitled:x", "http://[::1", "file://host/x.cu", "c:\\x.cu", "command:x", "\x1b[31m", "on", "occupancy", "2.0",
    [], {}, [[]], [None] * 1000, {"": None}, {"jsonrpc": "2.0", "id": 1, "method": "exit"}, {"__class__": 1},
]  # fmt: skip
SETTINGS: Value = {
    "devices": ["h100", "mi300x"], "threshold": 50, "hints": True, "rules": {"OCC101": "off"}, "sidecars": ["*.log"]
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Malformed:
    """`id`: of the one answer that must follow; None where nothing can be asked for."""

    data: bytes
    id: int | str | None = None


def frame(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def well_formed(folder: str) -> dict[str, Value]:
    """Parameters of each method that the server knows, about the documents of a folder."""
    uri = f"{folder}/fuzz.cu"
    document = {"textDocument": {"uri": uri}}
    span = {"start": {"line": 1, "character": 0}, "end": {"line": 3, "character": 0}}
    at = {**document, "position": {"line": 1, "character": 44}}
    diagnostic = {"range": span, "message": "m", "code": "OCC101", "source": "occupancy", "severity": 1, "data": {}}
    edits = [{"range": span, "text": "int x;\n"}, {"text": KERNEL}]
    return {
        t.INITIALIZE: {"processId": None, "rootUri": None, "capabilities": {"general": {}}, "workspaceFolders": []},
        t.INITIALIZED: {},
        t.SET_TRACE: {"value": "off"},
        t.CANCEL_REQUEST: {"id": 1},
        t.PROGRESS: {"token": "x", "value": {"kind": "begin", "title": "t"}},
        t.WINDOW_WORK_DONE_PROGRESS_CANCEL: {"token": "x"},
        t.TEXT_DOCUMENT_DID_OPEN: {"textDocument": {"uri": uri, "languageId": "cuda", "version": 1, "text": KERNEL}},
        t.TEXT_DOCUMENT_DID_CHANGE: {"textDocument": {"uri": uri, "version": 2}, "contentChanges": edits},
        t.TEXT_DOCUMENT_DID_CLOSE: document,
        t.TEXT_DOCUMENT_DID_SAVE: {**document, "text": KERNEL},
        t.NOTEBOOK_DOCUMENT_DID_OPEN: {"notebookDocument": {"uri": uri, "cells": []}, "cellTextDocuments": []},
        t.WORKSPACE_DID_CHANGE_CONFIGURATION: {"settings": {"occupancy": SETTINGS}},
        t.WORKSPACE_DID_CHANGE_WATCHED_FILES: {"changes": [{"uri": uri, "type": 2}, {"uri": folder, "type": 1}]},
        t.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: {"event": {"added": [{"uri": folder, "name": "f"}], "removed": []}},
        t.TEXT_DOCUMENT_HOVER: at,
        t.TEXT_DOCUMENT_COMPLETION: {**at, "context": {"triggerKind": 2, "triggerCharacter": ":"}},
        t.TEXT_DOCUMENT_INLAY_HINT: {**document, "range": span},
        t.INLAY_HINT_RESOLVE: {"position": span["start"], "label": "x", "data": {"uri": uri, "key": "scale"}},
        t.TEXT_DOCUMENT_CODE_ACTION: {
            **document, "range": span, "context": {"diagnostics": [diagnostic], "only": ["quickfix"], "triggerKind": 1}
        },
        t.CODE_ACTION_RESOLVE: {"title": "t", "kind": "quickfix", "data": {"uri": uri, "key": "x"}, "edit": None},
        t.TEXT_DOCUMENT_DIAGNOSTIC: {**document, "identifier": "occupancy", "previousResultId": "1"},
        t.WORKSPACE_EXECUTE_COMMAND: {"command": "occupancy.selectDevice", "arguments": ["a100", uri]},
        "occupancy/status": {"uri": uri},
        "occupancy/devices": None,
        t.TEXT_DOCUMENT_DEFINITION: at,
        t.WINDOW_SHOW_MESSAGE_REQUEST: {"type": 1, "message": "m"},
        "no/such": {},
    }  # fmt: skip


def stream(random: Random, folder: str) -> Iterator[Malformed]:
    """Without end; none asks the server to leave."""
    known = well_formed(folder)
    makers: list[tuple[Callable[[Random, dict[str, Value], int], Malformed], int]] = [
        (_odd_values, 60), (_odd_envelope, 12), (_odd_json, 12), (_odd_frame, 8), (_response, 4), (_deep, 4)
    ]  # fmt: skip
    weights = [weight for _, weight in makers]
    number = 1_000_000
    while True:
        number += 1
        (maker, _) = random.choices(makers, weights)[0]
        yield maker(random, known, number)


def spoilt(random: Random, value: Value, times: int = 1) -> Value:
    """A copy with this many of its parts replaced, removed, doubled or wrapped."""
    root = [copy.deepcopy(value)]
    for _ in range(times):
        places = list(_places(root))
        holder, key = random.choice(places)
        change = random.randrange(6)
        if change == 0 and len(places) > 1 and holder is not root:
            del holder[key]
        elif change == 1:
            holder[key] = [holder[key]] * 2
        elif change == 2:
            holder[key] = {"uri": holder[key], "id": holder[key]}
        elif change == 3 and isinstance(holder, dict):
            holder[random.choice(["id", "method", "range", "text", "x" * 1000, "\ud800", ""])] = copy.deepcopy(
                random.choice(NASTY)
            )
        else:
            holder[key] = copy.deepcopy(random.choice(NASTY))
    return root[0]


def _places(holder: Value) -> Iterator[tuple[Value, Value]]:
    for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
        yield holder, key
        if isinstance(holder[key], dict | list):
            yield from _places(holder[key])


def _message(random: Random, known: dict[str, Value], number: int, times: int) -> tuple[dict[str, Value], int | None]:
    """A message of some method, and its id if it is a request."""
    method = random.choice([*known])
    is_request = bool(t.METHOD_TO_TYPES.get(method, (0, method.startswith("occ")))[1]) ^ (random.random() < 0.05)
    message = {"jsonrpc": "2.0", "method": method, "params": spoilt(random, known[method], times)}
    return ({**message, "id": number}, number) if is_request else (message, None)


def _odd_values(random: Random, known: dict[str, Value], number: int) -> Malformed:
    message, asked = _message(random, known, number, random.choice([0, 1, 1, 1, 2, 5]))
    return Malformed(frame(json.dumps(message).encode()), asked)


def _odd_envelope(random: Random, known: dict[str, Value], number: int) -> Malformed:
    message, _ = _message(random, known, number, 0)
    key = random.choice(["id", "id", "method", "jsonrpc", "params", "result", "error"])
    message[key] = copy.deepcopy(random.choice(NASTY))
    if message["method"] == t.SHUTDOWN or key == "id":
        message["method"] = random.choice([t.TEXT_DOCUMENT_HOVER, t.CANCEL_REQUEST, "no/such"])
    return Malformed(frame(json.dumps(message).encode()))


def _odd_json(random: Random, known: dict[str, Value], number: int) -> Malformed:
    message, _ = _message(random, known, number, 1)
    text = json.dumps(message, ensure_ascii=random.random() < 0.5)
    body = bytearray(text.encode("utf-8", "surrogatepass"))
    kind = random.randrange(7)
    if kind == 0:
        body = bytearray(text.encode(random.choice(["utf-16", "utf-32", "utf-8-sig", "utf-7"]), "surrogatepass"))
    elif kind == 1:
        del body[random.randrange(len(body)) :]
    elif kind == 2:
        body[random.randrange(len(body)) :] = bytes(random.randrange(256) for _ in range(20))
    elif kind == 3:
        body = bytearray(
            text.replace("{", '{"method": "exit!", "id": {}, ', random.randrange(1, 4)).encode(errors="replace")
        )
    elif kind == 4:
        body += b"\0" * 100 if random.random() < 0.5 else bytes(body)
    else:
        for _ in range(random.randrange(1, 10)):
            body[random.randrange(len(body))] = random.randrange(256)
    return Malformed(frame(bytes(body)))


def _odd_frame(random: Random, known: dict[str, Value], number: int) -> Malformed:
    body = json.dumps(_message(random, known, number, 1)[0]).encode()
    announced, size = random.choice([0, 1, len(body) // 2, len(body) + 7]), len(body)
    header = random.choice([
        b"Content-Length: %d\r\n\r\n" % announced, b"Content-Length: -%d\r\n\r\n" % size, b"Content-Length: 1\r\n\r\n",
        b"Content-Length: 99999999999\r\n\r\n", b"Content-Length: 9999999999999999999999\r\n\r\n", b"\r\n\r\n", b"",
        b"Content-Length %d\r\n\r\n" % size, b"Content-Length: \xd9\xa3\r\n\r\n", b"\xff" * 40_000 + b"\r\n\r\n",
        b"Content-Length: 3\r\nContent-Length: %d\r\n\r\n" % size, b"Content-Length: %d\n\n" % size,
        b"Content-Type: x; charset=utf-16\r\ncontent-LENGTH:%d\r\nX: \0\r\n\r\n" % size,
    ])  # fmt: skip
    # What is announced and does not come would swallow what follows: that is the protocol, and no fault.
    return Malformed(header + body + b"x" * max(0, announced - size) + b"\r\n\r\n")


def _response(random: Random, known: dict[str, Value], number: int) -> Malformed:
    number_or_not = random.choice([number, 1, *NASTY])
    key = random.choice(["result", "error"])
    return Malformed(frame(json.dumps({"jsonrpc": "2.0", "id": number_or_not, key: random.choice(NASTY)}).encode()))


def _deep(random: Random, known: dict[str, Value], number: int) -> Malformed:
    """Nested deeper than a reader or a writer of JSON may follow."""
    depth = random.choice([50, 300, 900, 985, 990, 995, 3000, 100_000])
    opening, closing = random.choice([("[", "]"), ('{"x":', "}"), ('{"data":[', "]}")])
    nested = opening * depth + "1" + closing * depth
    held: dict[str, Value] = {
        t.INLAY_HINT_RESOLVE: {**known[t.INLAY_HINT_RESOLVE], "data": "@"},
        t.CODE_ACTION_RESOLVE: {**known[t.CODE_ACTION_RESOLVE], "data": {"key": "@"}},
        t.WORKSPACE_EXECUTE_COMMAND: {"command": "occupancy.selectDevice", "arguments": ["@"]},
        t.TEXT_DOCUMENT_HOVER: {"textDocument": "@"},
        "occupancy/status": {"uri": "@"},
    }
    method = random.choice([*held])
    params = json.dumps(held[method]).replace('"@"', nested)
    if depth > 300:  # whether it can be read at all is the reader's to say
        return Malformed(frame(f'{{"jsonrpc":"2.0","id":"deep","method":"{method}","params":{params}}}'.encode()))
    return Malformed(frame(f'{{"jsonrpc":"2.0","id":{number},"method":"{method}","params":{params}}}'.encode()), number)
