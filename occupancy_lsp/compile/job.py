"""One process: started without a shell, in a private folder, niced, with limits, and ended with all that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Literal

from occupancy_lsp.core.dataclass import dataclass

IS_WINDOWS = sys.platform == "win32"
MOST_SECONDS = 300.0
_MOST_OUTPUT = 16 << 20
_MOST_MEMORY = 16 << 30  # address space, where the system can limit it
_MOST_FILE = 512 << 20
_NICE = 10
_POLL = 0.2  # seconds; an end is seen sooner: this is how often it is asked whether to go on

Stopped = Literal["", "cancelled", "timeout", "output"]


@dataclass(frozen=True, slots=True)
class Done:
    """`stopped`: why it was ended before it ended by itself; then `status` says nothing."""

    status: int
    output: str  # both streams
    stopped: Stopped = ""

    @property
    def well(self) -> bool:
        return self.status == 0 and not self.stopped


def run(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    cancelled: Callable[[], bool],
    seconds: float = MOST_SECONDS,
) -> Done:
    """`folder`: private, its working directory. `environment`: all that it has. Never raises."""
    # Without a name, where the system can: what runs in the folder cannot put a link in its place.
    with tempfile.TemporaryFile(dir=folder) as output:
        try:
            process = subprocess.Popen(
                list(arguments),
                cwd=folder,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                **_own_group(),
            )
        except (OSError, ValueError) as fault:
            return Done(-1, f"error: {arguments[0]} did not start: {getattr(fault, 'strerror', None) or fault}")
        stopped = _watch(process, output, cancelled, time.monotonic() + seconds)
        output.seek(0)
        said = output.read(_MOST_OUTPUT).decode("utf-8", "replace")
    return Done(process.returncode, said, stopped)


def _watch(process: subprocess.Popen[bytes], output: IO[bytes], cancelled: Callable[[], bool], until: float) -> Stopped:
    """Wait for its end, or end it."""
    stopped: Stopped = "cancelled"  # also if waiting itself is broken off
    told_before = _take_ends()
    try:
        _restrain(process.pid)
        while True:
            try:
                process.wait(_POLL)
                return (stopped := "")
            except subprocess.TimeoutExpired:
                if reason := _reason(output, cancelled, until):
                    return (stopped := reason)
    finally:
        if stopped:
            _end(process)
        if told_before is not None:
            signal.signal(signal.SIGTERM, told_before)


def _take_ends() -> signal.Handlers | None:
    """Who ends this process breaks off the waiting: left to the system, what was started would go on. None: that is
    for others to decide."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        return None
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return signal.SIG_DFL


def _reason(output: IO[bytes], cancelled: Callable[[], bool], until: float) -> Stopped:
    if cancelled():
        return "cancelled"
    if time.monotonic() > until:
        return "timeout"
    return "output" if os.fstat(output.fileno()).st_size > _MOST_OUTPUT else ""


def _own_group() -> dict[str, Any]:
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.BELOW_NORMAL_PRIORITY_CLASS
        return {"creationflags": flags | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def _restrain(pid: int) -> None:
    """Nice to everything else, and bounded where the system can do it from outside; its children inherit both."""
    if sys.platform == "win32":
        return
    try:
        os.setpriority(os.PRIO_PROCESS, pid, _NICE)
        if sys.platform == "linux":
            import resource

            for kind, most in ((resource.RLIMIT_AS, _MOST_MEMORY), (resource.RLIMIT_FSIZE, _MOST_FILE)):
                hard = resource.prlimit(pid, kind)[1]
                most = most if hard == resource.RLIM_INFINITY else min(most, hard)
                resource.prlimit(pid, kind, (most, hard))
    except OSError:
        return  # it has ended already, or the system does not allow it


def _end(process: subprocess.Popen[bytes]) -> None:
    """It has not been waited for, so its number is still its own."""
    if sys.platform == "win32":
        killer = os.path.join(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "taskkill.exe")
        subprocess.run([killer, "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)
    else:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except OSError:
            process.kill()
    process.wait()
