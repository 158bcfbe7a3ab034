"""What an editor does: opens a file, types, and asks after each key."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.client import Client, Message
from benchmarks.servers import Server

_PAUSE = 1.0  # seconds
_AT_REST = 0.02  # of them a server that has done what it wants to do is busy at most: one with nothing to do wakes up
_SCREEN = 60  # lines


@dataclass(frozen=True, slots=True)
class Answers:
    """When each answer came, in seconds of `time.perf_counter`."""

    hint: float
    diagnostics: float


class Session:
    """One file, open in one server."""

    def __init__(self, client: Client, path: Path) -> None:
        self.client = client
        self._uri = path.as_uri()
        self._version = 0
        self._pulls = "diagnosticProvider" in client.capabilities
        text = path.read_text()
        document = {"uri": self._uri, "languageId": "cuda-cpp", "version": 0, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": document})

    def settle(self) -> None:
        """Until the server has done what it wants to do: it may look at the file's neighbours for seconds."""
        self.client.response(self._ask_hints(0))
        busy = 1.0
        while busy > _AT_REST:
            before = self.client.cpu()
            self.client.drain(_PAUSE)
            busy = self.client.cpu() - before

    def ask(self, line: int) -> Answers:
        """Ask for all that is on the screen, as an editor does; diagnostics that are pushed are waited for."""
        hints = self._ask_hints(line)
        asked = self.client.request("textDocument/diagnostic", self._document()) if self._pulls else None
        arrived: dict[str, float] = {}

        def seen(message: Message) -> bool:
            answered = None if "method" in message else message["id"]
            if answered == hints:
                arrived["hint"] = time.perf_counter()
            elif answered == asked if asked else self.is_published(message):
                arrived["diagnostics"] = time.perf_counter()
            return len(arrived) == 2

        self.client.wait(seen)
        return Answers(**arrived)

    def edit(self, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        self._version += 1
        range_ = {"start": _position(*start), "end": _position(*end)}
        document = {"uri": self._uri, "version": self._version}
        change = {"textDocument": document, "contentChanges": [{"range": range_, "text": text}]}
        self.client.notify("textDocument/didChange", change)

    def is_published(self, message: Message) -> bool:
        """Diagnostics of the document as it is now."""
        params: Any = message.get("params")
        return message.get("method") == "textDocument/publishDiagnostics" and (
            params["uri"] == self._uri and params.get("version", self._version) == self._version
        )

    def _ask_hints(self, line: int) -> int:
        screen = {"start": _position(max(0, line - _SCREEN // 2), 0), "end": _position(line + _SCREEN // 2, 0)}
        return self.client.request("textDocument/inlayHint", {**self._document(), "range": screen})

    def _document(self) -> Message:
        return {"textDocument": {"uri": self._uri}}


@contextmanager
def started(server: Server, folder: Path, caches: Path | None = None) -> Iterator[Client]:
    client = Client(server, folder, caches=caches)
    try:
        yield client
    finally:
        client.close()


def _position(line: int, character: int) -> Message:
    return {"line": line, "character": character}
