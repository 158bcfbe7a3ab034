"""The tool as a process of its own, without the second in which Python reads its modules.

A process that has imported the tool's modules and made their patterns, and done nothing else, forks for each start.
Whoever started it has a real process before them: its streams, folder, environment, exit status and signals. What a
start itself does is tested by real ones: `REAL`.
"""

from __future__ import annotations

import atexit
import gc
import io
import json
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from typing import Any

REAL = (sys.executable, "-m", "occupancy_lsp")
# Read when Python starts: a fork would not heed them.
_OF_PYTHON = ("PYTHON", "LC_", "LANG")


def tool(env: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the command that starts the tool, given what the environment has besides this process's own."""
    if sys.platform != "linux" or any(name.startswith(_OF_PYTHON) for name in env or ()):
        return REAL
    return (sys.executable, "-I", "-S", str(Path(__file__).with_name("forkclient.py")), _address())


@cache
def _address() -> str:
    """Start the server, which ends with this process: its standard input is then closed."""
    folder = tempfile.mkdtemp()
    atexit.register(rmtree, folder, ignore_errors=True)
    address = f"{folder}/socket"
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(address)
    listening.listen(64)
    command = [sys.executable, "-m", __name__, str(listening.fileno())]
    subprocess.Popen(command, cwd=Path(__file__).parents[1], stdin=subprocess.PIPE, pass_fds=[listening.fileno()])
    return address


def _prepare() -> None:
    """Import the modules, and make the patterns that each start would make when it first uses them."""
    import occupancy_lsp
    from occupancy_lsp.core.regex import regex
    from occupancy_lsp.source.syntax import node_index

    for module in pkgutil.walk_packages(occupancy_lsp.__path__, "occupancy_lsp."):
        if not module.name.endswith("__main__"):
            for it in vars(import_module(module.name)).values():
                if isinstance(it, regex):
                    hasattr(it, "groups")
    for kind in ("call_expression", "init_declarator", "identifier"):
        node_index.index_nodes(b"").nodes_of_kind(kind)


def _serve(listening: socket.socket) -> None:
    _prepare()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that answer
    with selectors.DefaultSelector() as waiting:
        waiting.register(0, selectors.EVENT_READ)
        waiting.register(listening, selectors.EVENT_READ)
        while all(key.fileobj != 0 for key, _ in waiting.select()):
            connection, _ = listening.accept()
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                waiting.close()
                return _answer(connection)
            connection.close()


def _answer(connection: socket.socket) -> None:
    """Fork once more, and tell how that one ended. It does not outlive the one who asked."""
    message, given, _, _ = socket.recv_fds(connection, 1 << 20, 4)
    while not message.endswith(b"\n"):
        message += connection.recv(1 << 20)
    if (started := os.fork()) == 0:
        return _become(json.loads(message), given)
    for descriptor in given:
        os.close(descriptor)
    ended = os.pidfd_open(started)
    with selectors.DefaultSelector() as waiting:
        waiting.register(ended, selectors.EVENT_READ)
        waiting.register(connection, selectors.EVENT_READ)
        while all(key.fileobj != ended for key, _ in waiting.select()):
            os.kill(started, int(connection.recv(4) or signal.SIGKILL))
    status = os.waitstatus_to_exitcode(os.waitpid(started, 0)[1])
    with suppress(OSError):
        connection.sendall(b"%d" % status)
    os._exit(0)


def _become(message: dict[str, Any], given: list[int]) -> None:
    """Be what `python -m occupancy_lsp` is once it has started. `given`: the standard streams and the folder."""
    os.fchdir(given[3])
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.dup2(given[number], number)
        stream = open(number, "wb" if number else "rb", closefd=False)  # noqa: SIM115 - it ends with the process
        setattr(sys, name, io.TextIOWrapper(stream, errors=getattr(sys, name).errors, line_buffering=number == 2))
    os.closerange(3, max(given) + 16)
    os.environ.clear()
    os.environ.update(message["environment"])
    sys.argv[1:] = message["arguments"]
    sys.path[0] = os.getcwd()
    try:
        runpy.run_module("occupancy_lsp", run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        threading._shutdown()  # as Python does at its end, before it takes apart every module
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(ended.code)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
