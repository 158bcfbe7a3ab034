"""A client on bare pipes or sockets: what reaches the server is exactly what a test says."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from tests.forkserver import REAL, tool

PATIENCE = 60.0
COMMAND = [*REAL, "serve"]
Message = dict[str, Any]

# What most editors can do. Tests take parts away or add them.
CAPABILITIES: Message = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"workspaceEdit": {"documentChanges": True}, "configuration": True},
    "textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True, "tagSupport": {"valueSet": [1]}},
        "inlayHint": {"resolveSupport": {"properties": ["tooltip"]}},
        "codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}},
    },
}


def frame(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class Client:
    def __init__(self, source: IO[bytes], wire: IO[bytes], hang_up: Callable[[], None] = lambda: None) -> None:
        self.source, self.wire, self.hang_up = source, wire, hang_up
        self.received: list[Message] = []
        self.answers: dict[str, Callable[[Any], Any]] = {}
        self.ended = False
        self._arrival = threading.Condition()
        self._ids = 0
        self._seen: dict[str, int] = {}
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, data: bytes) -> None:
        self.wire.write(data)
        self.wire.flush()

    def post(self, message: object) -> None:
        self.send(frame(json.dumps(message).encode()))

    def notify(self, method: str, params: object = None) -> None:
        self.post({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: object = None) -> int:
        self._ids += 1
        body: Message = {"jsonrpc": "2.0", "id": self._ids, "method": method}
        self.post(body if params is None else {**body, "params": params})
        return self._ids

    def response(self, number: int | str | None) -> Message:
        return self.wait(lambda m: "method" not in m and m.get("id") == number)

    def ask(self, method: str, params: object = None) -> Any:
        answer = self.response(self.request(method, params))
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def wait(self, wanted: Callable[[Message], bool], since: int = 0) -> Message:
        """The first message that is wanted, of those received or to come."""
        deadline = time.monotonic() + PATIENCE
        with self._arrival:
            while True:
                for message in self.received[since:]:
                    if wanted(message):
                        return message
                left = deadline - time.monotonic()
                if self.ended or left <= 0:
                    raise AssertionError(f"not received: {self.received[-5:]}")
                self._arrival.wait(left)

    def next(self, method: str, wanted: Callable[[Any], bool] = lambda params: True) -> Any:
        """Params of the next message of this method, after the one that the last call returned."""
        message = self.wait(lambda m: m.get("method") == method and wanted(m.get("params")), self._seen.get(method, 0))
        self._seen[method] = next(i for i, m in enumerate(self.received) if m is message) + 1
        return message.get("params")

    def pass_over(self, method: str) -> None:
        """What came of this method so far is not the next."""
        self._seen[method] = len(self.received)

    def of(self, method: str) -> list[Any]:
        """Params of all messages of this method so far."""
        return [m.get("params") for m in self.received if m.get("method") == method]

    def initialize(
        self, capabilities: Message | None = None, folders: Sequence[Path] = (), **others: object
    ) -> Message:
        named = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        params = {"processId": os.getpid(), "rootUri": None, "workspaceFolders": named, **others}
        result: Message = self.ask(
            "initialize", {**params, "capabilities": CAPABILITIES if capabilities is None else capabilities}
        )
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, language: str = "cuda-cpp") -> None:
        self.notify("textDocument/didOpen", {"textDocument": item(uri, text, language)})

    def change(self, uri: str, *changes: Message, version: int = 1) -> None:
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)},
        )

    def hints(self, uri: str, last_line: int = 1000) -> list[Message]:
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": last_line, "character": 0}}
        hints: list[Message] = self.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": whole})
        return hints

    def _read(self) -> None:
        try:
            while (header := self.source.readline()) != b"":
                if not header.lower().startswith(b"content-length:"):
                    assert header.strip() == b"" or header.startswith(b"Content-Type:"), header
                    continue
                while self.source.readline() not in (b"\r\n", b""):
                    pass
                self._receive(json.loads(self.source.read(int(header.split(b":")[1]))))
        except (OSError, ValueError):
            pass
        with self._arrival:
            self.ended = True
            self._arrival.notify_all()

    def _receive(self, message: Message) -> None:
        if "method" in message and "id" in message:
            answer = self.answers.get(message["method"], default_answer)(message.get("params"))
            if answer is not NotImplemented:
                self.post({"jsonrpc": "2.0", "id": message["id"], "result": answer})
        with self._arrival:
            self.received.append(message)
            self._arrival.notify_all()


def default_answer(params: Any) -> Any:
    """null, and for `workspace/configuration` one for each item."""
    return [None for _ in params["items"]] if isinstance(params, dict) and "items" in params else None


class Server(Client):
    """A server process and a client on its pipes."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        environment: dict[str, str] | None = None,
        start: Sequence[str] = (),
    ) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by stop()
        self.process = subprocess.Popen(
            [*(start or tool(environment)), "serve", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            cwd=folder,
            env={**os.environ, **(environment or {})},
        )
        assert self.process.stdin and self.process.stdout
        super().__init__(self.process.stdout, self.process.stdin)

    def leave(self) -> int:
        """Say goodbye as the protocol asks. Returns the exit code."""
        self.ask("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE)

    def stderr(self) -> bytes:
        self.errors.seek(0)
        return self.errors.read()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.errors, self.source):
            stream.close()
        with suppress(OSError):  # what was not sent cannot be any more
            self.wire.close()


def item(uri: str, text: str, language: str = "cuda-cpp") -> Message:
    return {"uri": uri, "languageId": language, "version": 0, "text": text}


def at(uri: str, line: int, character: int) -> Message:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def between(start: tuple[int, int], end: tuple[int, int]) -> Message:
    return {
        "start": {"line": start[0], "character": start[1]},
        "end": {"line": end[0], "character": end[1]},
    }


def edit(start: tuple[int, int], end: tuple[int, int], text: str) -> Message:
    return {"range": between(start, end), "text": text}
