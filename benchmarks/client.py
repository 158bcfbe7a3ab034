"""A bare client on pipes, so that what is measured is the server; and the processor time and memory it takes."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from benchmarks.servers import Server

Message = dict[str, Any]
_PATIENCE = 120.0
# Without compiled modules or with unbuffered pipes every Python server is slower than users will see it.
_ENVIRONMENT = {
    key: value for key, value in os.environ.items() if key not in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
}


def capabilities(pulls: bool) -> Message:
    """What most editors can do. `pulls`: the client asks for diagnostics instead of waiting for them."""
    document: Message = {
        "synchronization": {"didSave": True},
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
        "inlayHint": {"resolveSupport": {"properties": ["tooltip"]}},
        "hover": {"contentFormat": ["markdown"]},
    }
    workspace: Message = {"configuration": True, "workspaceFolders": True, "inlayHint": {"refreshSupport": True}}
    if pulls:
        document["diagnostic"] = {}
        workspace["diagnostics"] = {"refreshSupport": True}
    return {
        "general": {"positionEncodings": ["utf-8", "utf-16"]},
        "workspace": workspace,
        "window": {"workDoneProgress": True},
        "textDocument": document,
    }


class Client:
    """One server process and the conversation with it."""

    def __init__(
        self, server: Server, folder: Path, errors: int = subprocess.DEVNULL, caches: Path | None = None
    ) -> None:
        """`caches`: where the server may keep what it knows of the folder; None: where users have it."""
        self._folder = folder
        self._buffer = bytearray()
        self._ids = 0
        self.capabilities: Message = {}
        self.watch: Callable[[Message], object] | None = None  # sees every message that comes
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            server.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0,
            cwd=folder, env={**environment(caches), "PYTHONPATH": str(Path(__file__).resolve().parents[1])},
        )  # fmt: skip
        assert self._process.stdin and self._process.stdout
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()

    def notify(self, method: str, params: object) -> None:
        self._post({"method": method, "params": params})

    def request(self, method: str, params: object = None) -> int:
        self._ids += 1
        self._post({"id": self._ids, "method": method} | ({} if params is None else {"params": params}))
        return self._ids

    def response(self, number: int) -> Any:
        answer = self.wait(lambda m: m.get("id") == number and "method" not in m)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["result"]

    def ask(self, method: str, params: object = None) -> Any:
        return self.response(self.request(method, params))

    def wait(self, wanted: Callable[[Message], bool], patience: float = _PATIENCE) -> Message:
        """The next message that is wanted; what the server asks meanwhile is answered."""
        deadline = time.perf_counter() + patience
        while True:
            message: Message = json.loads(self._receive(deadline))
            if "method" in message and "id" in message:
                items = message["params"]["items"] if message["method"] == "workspace/configuration" else None
                self._post({"id": message["id"], "result": [{} for _ in items] if items else None})
            if self.watch:
                self.watch(message)
            if wanted(message):
                return message

    def drain(self, seconds: float) -> None:
        """Let the server do for this long what it wants to do."""
        with suppress(TimeoutError):
            self.wait(lambda m: False, seconds)

    def initialize(self, pulls: bool = True) -> float:
        """Seconds from the process's start to the answer."""
        passed = self.ask_initialize(pulls)
        self.notify("initialized", {})
        return passed

    def ask_initialize(self, pulls: bool = True) -> float:
        """As `initialize`, but the server is kept from going on."""
        uri = self._folder.as_uri()
        params = {
            "processId": os.getpid(),
            "rootUri": uri,
            "workspaceFolders": [{"uri": uri, "name": "benchmark"}],
            "capabilities": capabilities(pulls),
        }
        self.capabilities = self.ask("initialize", params)["capabilities"]
        return time.perf_counter() - self.started

    def cpu(self) -> float:
        """Seconds of processor time that the server has used, in user and system mode."""
        return sum(_cpu(process) for process in self._tree())

    def own_cpu(self) -> float:
        """The same without the processes that it has started."""
        return _cpu(psutil.Process(self._process.pid))

    def memory(self) -> float:
        """Bytes that the server occupies."""
        return float(sum(process.memory_info().rss for process in self._tree()))

    def close(self) -> None:
        try:
            self.ask("shutdown")
            self.notify("exit", None)
            self._process.wait(5)
        except (OSError, EOFError, TimeoutError, RuntimeError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def _tree(self) -> list[psutil.Process]:
        top = psutil.Process(self._process.pid)
        return [top, *top.children(recursive=True)]

    def _post(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        rest = memoryview(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        while rest:
            rest = rest[os.write(self._input, rest) :]

    def _receive(self, deadline: float) -> bytes:
        while True:
            end = self._buffer.find(b"\r\n\r\n")
            if end >= 0:
                headers = bytes(self._buffer[:end]).lower().split(b"\r\n")
                length = next(int(h.split(b":")[1]) for h in headers if h.startswith(b"content-length"))
                if len(self._buffer) >= end + 4 + length:
                    body = bytes(self._buffer[end + 4 : end + 4 + length])
                    del self._buffer[: end + 4 + length]
                    return body
            if not select.select([self._output], [], [], max(0.0, deadline - time.perf_counter()))[0]:
                raise TimeoutError
            data = os.read(self._output, 1 << 20)
            if not data:
                raise EOFError("the server has ended")
            self._buffer += data


def environment(caches: Path | None) -> dict[str, str]:
    """Of a process as users start it. `caches`: where it may keep what it knows; None: where users have it."""
    kept = dict.fromkeys(("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"), str(caches)) if caches else {}
    return _ENVIRONMENT | kept


def _cpu(process: psutil.Process) -> float:
    if sys.platform == "linux":
        # The clock of another process (CPUCLOCK_SCHED): /proc counts in ticks of 10 ms, too coarse for one key.
        return time.clock_gettime((~process.pid << 3) | 2)
    times = process.cpu_times()
    return float(times.user + times.system)
