"""A command at a terminal, as a person sees it."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryFile


def at_a_terminal(
    folder: Path,
    *arguments: str,
    piped: bool = False,
    env: Mapping[str, str] | None = None,
    seen: Callable[[bytes, int], None] = lambda shown, process: None,
) -> tuple[int, bytes, bytes]:
    """The status, what the terminal shows, and what standard output holds if it is `piped`.

    `seen` is called with all that is shown so far, and the process' id. CI's own variables are not passed on.
    """
    command = [sys.executable, "-m", "occupancy_lsp", *arguments]
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CI")}
    environment = {**kept, "TERM": "xterm-256color", "COLUMNS": "100", **(env or {})}
    ours, theirs = pty.openpty()
    with TemporaryFile() as file:
        out = file if piped else theirs
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background, tests ignore it
        process = subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=out, stderr=theirs, env=environment)
        signal.signal(signal.SIGINT, before)
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 65536):
                shown += chunk
                seen(shown, process.pid)
        except OSError:  # so Linux says that all is read
            pass
        os.close(ours)
        status = process.wait(timeout=60)
        file.seek(0)
        return status, shown, file.read()
