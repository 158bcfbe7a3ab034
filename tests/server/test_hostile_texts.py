"""Whatever a workspace has in it: what an editor shows of it is text, without format, links or commands of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.hostile_texts import foreign, hostile_workspace, obeyed

from .conftest import Start
from .pipe import CAPABILITIES, Message, Server, at, between

# Not shown, or inserted as it is.
_NOT_SHOWN = ("uri", "targetUri", "newText", "data", "edit", "textEdit", "arguments", "codeDescription", "id")
_ABLE: Message = {**CAPABILITIES, "window": {"workDoneProgress": True}}


def shown(message: Any) -> Iterator[str]:
    if isinstance(message, str):
        yield message
    for it in message if isinstance(message, list) else ():
        yield from shown(it)
    for key, it in message.items() if isinstance(message, dict) else ():
        if key not in _NOT_SHOWN:
            yield from shown(it)


def markups(message: Any) -> Iterator[str]:
    if isinstance(message, dict) and message.get("kind") == "markdown":
        yield message["value"]
    for it in message.values() if isinstance(message, dict) else message if isinstance(message, list) else ():
        yield from markups(it)


def drive(server: Server, source: Path) -> list[Any]:
    """Every request at every place of the file that could show something; all that came of it."""
    uri, text = source.as_uri(), source.read_text("utf-8")
    server.open(uri, text)
    server.next("textDocument/publishDiagnostics", lambda params: params["uri"] == uri and params["diagnostics"])
    answers: list[Any] = [server.ask("inlayHint/resolve", hint) for hint in server.hints(uri)]
    lines = text.split("\n")
    for number, line in enumerate(lines):
        whole = between((number, 0), (number, len(line)))
        context = {"diagnostics": []}
        answers.append(
            server.ask("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": whole, "context": context})
        )
        for column in range(0, min(len(line), 130), 3):
            answers.append(server.ask("textDocument/hover", at(uri, number, column)))
        for word in ("occupancy: ", "device=", "on "):
            if word in line:
                answers.append(server.ask("textDocument/completion", at(uri, number, line.index(word) + len(word))))
    answers.append(server.ask("occupancy/devices", {}))
    answers.append(server.ask("occupancy/status", {"uri": uri}))
    server.ask("workspace/executeCommand", {"command": "occupancy.selectDevice", "arguments": []})
    return [it for it in answers if it] + server.received


def test_what_is_shown_is_text(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    source = hostile_workspace(folder)
    server = start("--stdio")
    server.initialize(_ABLE, [folder])
    server.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "end")
    found = drive(server, source)
    texts = list(shown(found))
    assert not [it for it in texts if obeyed(it)]
    assert sum("\\x1b]0;o\\x07" in it for it in texts) > 5
    read = list(markups(found))
    assert sum("<img" in it for it in read) > 2
    assert not {it for text in read for it in foreign(text)}
