"""A language server without pygls: standard input, dicts, standard output. The floor for one in Python."""

from __future__ import annotations

import json
import sys
from typing import Any

from benchmarks.floor_analysis import Document, Kernel

_CAPABILITIES = {
    "positionEncoding": "utf-8",
    "textDocumentSync": {"openClose": True, "change": 2},
    "inlayHintProvider": True,
    "diagnosticProvider": {"interFileDependencies": False, "workspaceDiagnostics": False},
}


def main() -> None:
    documents: dict[str, Document] = {}
    while (message := _receive()) is not None:
        method, params = message["method"], message.get("params") or {}
        if method == "exit":
            break
        if "id" in message:
            _send({"id": message["id"], "result": _answer(documents, method, params)})
        elif method == "textDocument/didOpen":
            documents[params["textDocument"]["uri"]] = Document(params["textDocument"]["text"])
        elif method == "textDocument/didChange":
            _change(documents[params["textDocument"]["uri"]], params["contentChanges"])


def _answer(documents: dict[str, Document], method: str, params: dict[str, Any]) -> Any:
    if method == "initialize":
        return {"capabilities": _CAPABILITIES, "serverInfo": {"name": "floor"}}
    if method == "textDocument/inlayHint":
        first, last = params["range"]["start"]["line"], params["range"]["end"]["line"]
        kernels = documents[params["textDocument"]["uri"]].kernels
        return [_hint(kernel) for kernel in kernels if first <= kernel.line <= last]
    if method == "textDocument/diagnostic":
        kernels = documents[params["textDocument"]["uri"]].kernels
        return {"kind": "full", "items": [_diagnostic(kernel) for kernel in kernels if kernel.threads > 1024]}
    return None


def _change(document: Document, changes: list[dict[str, Any]]) -> None:
    for change in changes:
        start, end = change["range"]["start"], change["range"]["end"]
        document.edit((start["line"], start["character"]), (end["line"], end["character"]), change["text"])


def _hint(kernel: Kernel) -> dict[str, Any]:
    return {"position": {"line": kernel.line, "character": kernel.column}, "label": f"{kernel.percent}%"}


def _diagnostic(kernel: Kernel) -> dict[str, Any]:
    end = {"line": kernel.line, "character": kernel.column}
    message = f"{kernel.percent}% occupancy with {kernel.threads} threads"
    return {"range": {"start": {"line": kernel.line, "character": 0}, "end": end}, "severity": 3, "message": message}


def _receive() -> dict[str, Any] | None:
    length = 0
    while (line := sys.stdin.buffer.readline()) not in (b"\r\n", b""):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return json.loads(sys.stdin.buffer.read(length)) if line else None


def _send(message: dict[str, Any]) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
