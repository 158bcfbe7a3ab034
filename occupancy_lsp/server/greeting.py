"""What `initialize` is answered. It takes nothing that is slow to load: the types of the protocol, the parser, presets.

So an editor has its answer at once. Helix needs it within a quarter of a second: only then it asks for hints by itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from occupancy_lsp import __version__
from occupancy_lsp.server.client import Client

NAME = "occupancy-lsp"
COMMANDS = ("selectDevice", "select", "compileFile", "compileWorkspace", "tryBounds", "showCompilation", "showPanel")
_STATED = {  # of what a client says, what is read; and the types by which it is surely understood
    "processId": int,
    "rootUri": str,
    "rootPath": str,
    "workspaceFolders": list,
    "initializationOptions": dict,
}


def answer(client: Client) -> dict[str, Any]:
    """`InitializeResult`."""
    capabilities: dict[str, Any] = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": 2, "save": True},  # 2: changes, not whole texts
        "hoverProvider": True,
        "inlayHintProvider": {"resolveProvider": True},
        "codeLensProvider": {},
        "definitionProvider": True,
        "referencesProvider": True,
        "documentSymbolProvider": True,
        "codeActionProvider": {"codeActionKinds": ["quickfix", "refactor.rewrite"], "resolveProvider": True},
        "completionProvider": {"triggerCharacters": [":", "=", ",", "["]},
        "executeCommandProvider": {"commands": [f"occupancy.{it}" for it in COMMANDS]},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
    }
    if client.pulls_diagnostics:
        capabilities["diagnosticProvider"] = {
            "interFileDependencies": True,
            "workspaceDiagnostics": False,
            "identifier": "occupancy",
        }
    return {"capabilities": capabilities, "serverInfo": {"name": NAME, "version": __version__}}


class Greeting(NamedTuple):
    """`text`: all that is sent. `editor`: the process that the client says it is."""

    text: bytes
    editor: int | None


def greeting(body: bytes) -> Greeting | None:
    """The answer to a session's first message; None: it is none that this part can answer, for others to look at."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("method") != "initialize":
        return None
    params = message.get("params")
    if type(message.get("id")) not in (int, str) or not isinstance(params, dict) or (read := stated(params)) is None:
        return None
    result = answer(Client.of(params.get("capabilities")))
    said = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
    return Greeting(b"Content-Length: %d\r\n\r\n%b" % (len(said), said), read["processId"])


def stated(params: Mapping[str, Any]) -> dict[str, Any] | None:
    """The parameters of `initialize` that are read; None: one of them is nothing that the protocol has."""
    read = {key: params[key] for key in _STATED if params.get(key) is not None}
    folders = read.get("workspaceFolders", [])
    if any(type(value) is not _STATED[key] for key, value in read.items()):
        return None
    if not all(isinstance(it, dict) and type(it.get("uri")) is type(it.get("name")) is str for it in folders):
        return None
    return {"processId": None, "rootUri": None, "capabilities": {}, **read}
