"""The command line as users run it: a process of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.forkserver import tool

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str


def occupancy(*arguments: object, cwd: Path = ROOT, stdin: bytes = b"", start: Sequence[str] = (), **env: str) -> Done:
    """Runs it, and asserts what holds for every run: an end in time, a known status, no traceback."""
    done = subprocess.run(
        [*(start or tool(env)), *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        env={**os.environ, **env},
        capture_output=True,
        timeout=300,  # a busy machine takes its time
    )
    out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    assert "Traceback" not in err + out, err + out
    assert done.returncode in (0, 1, 2), err
    return Done(done.returncode, out, err)
