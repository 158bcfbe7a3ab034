"""Processes of `git`: what they are started with, and what they may cost, all of those for one question together.

A repository may be made to cost: trees that hold one another, objects that are large only when they are unpacked, pipes
where files should be. So what is printed is read as it comes, and a process ends with what it may cost.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import IO

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem

_SECONDS = 120.0
_PROCESSES = 1_000
_PRINTED = 4 << 30  # bytes
_MEMORY = 512 << 20  # bytes of a process, without the files that it maps
_LONGEST = 1 << 16  # bytes of a row, or of what is said of a fault
_CHUNK = 1 << 16
_POLL = 0.2  # seconds
_OPTIONS = (
    "--no-pager",
    "--no-replace-objects",
    "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.sshCommand=false",
    "-c", "core.gitProxy=",
    "-c", "protocol.allow=never",
    "-c", "safe.bareRepository=explicit",
)  # fmt: skip
_KEPT = ("HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "XDG_CONFIG_HOME", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")
_OURS = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}


class Unreadable(Exception):
    """The history cannot be read. `problem` says why, and what to do."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass()
class Budget:
    """What is left for a question: seconds and bytes that processes print, and how many may be started. `stop`: asked
    while one runs."""

    seconds: float = _SECONDS
    processes: int = _PROCESSES
    printed: int = _PRINTED
    stop: Callable[[], bool] = lambda: False


class Running:
    """A process that prints. What is read of it counts."""

    def __init__(self, process: subprocess.Popen[bytes], complaints: IO[bytes], folder: Path, budget: Budget) -> None:
        self._process = process
        self._complaints = complaints
        self._folder = folder
        self._budget = budget
        self.ended_for = ""  # why it was ended before it ended by itself

    def read(self, size: int) -> bytes:
        """So many bytes, fewer at the end."""
        stream = self._process.stdout
        assert stream is not None
        self._budget.printed -= size
        if self._budget.printed < 0:
            raise self.broken(f"git prints more than {_PRINTED >> 30} GiB")
        return stream.read(size)

    def rows(self, end: bytes) -> Iterator[bytes]:
        """All that it prints. Unreadable: it fails."""
        rest = b""
        while chunk := self.read(_CHUNK):
            *whole, rest = (rest + chunk).split(end)
            yield from whole
            if len(rest) > _LONGEST:
                raise self.broken("git prints a row without end")
        if self.status():
            raise self.broken()

    def line(self) -> bytes:
        stream = self._process.stdout
        assert stream is not None
        return stream.readline(_LONGEST)

    def status(self) -> int:
        """When it has printed all."""
        return self._process.wait()

    def complaint(self) -> bytes:
        self._complaints.seek(0)
        return self._complaints.read(_LONGEST)

    def broken(self, why: str = "") -> Unreadable:
        said = self.ended_for or why or f"git could not read it: {first_line(self.complaint())}"
        return Unreadable(Problem(str(self._folder), 0, 0, said))


@contextmanager
def running(git: str, folder: Path, arguments: Sequence[str], given: bytes, budget: Budget) -> Iterator[Running]:
    """Until the end of the block at most. `given`: its input. Unreadable: it does not start, or nothing is left."""
    budget.processes -= 1
    if budget.processes < 0 or budget.seconds <= 0:
        spent = f"{_PROCESSES} processes" if budget.processes < 0 else f"{_SECONDS:g} seconds"
        raise Unreadable(Problem(str(folder), 0, 0, f"git took more than {spent}"))
    kept = {name: value for name in _KEPT if (value := os.environ.get(name)) is not None}
    environment = {**kept, **_OURS, "PATH": os.path.dirname(git)}
    began, ended = time.monotonic(), Event()
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as complaints:
        asked.write(given)
        asked.seek(0)
        command = [git, *_OPTIONS, *arguments]
        try:
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=asked, stdout=subprocess.PIPE, stderr=complaints
            )
        except OSError as error:
            raise Unreadable(Problem(str(folder), 0, 0, f"git did not start: {error.strerror}")) from None
        it = Running(process, complaints, folder, budget)
        watch = Thread(target=_watch, args=(it, process, ended, budget), daemon=True)
        try:
            _restrain(process.pid)
            watch.start()
            yield it
        finally:
            process.kill()
            process.wait()
            ended.set()
            watch.join()
            if process.stdout is not None:
                process.stdout.close()
            budget.seconds -= time.monotonic() - began


def _watch(it: Running, process: subprocess.Popen[bytes], ended: Event, budget: Budget) -> None:
    until = time.monotonic() + budget.seconds
    while not ended.wait(_POLL):
        if time.monotonic() > until or budget.stop():
            it.ended_for = (
                "no longer wanted" if budget.stop() else f"reading it with git took longer than {_SECONDS:g} seconds"
            )
            process.kill()
            return


def _restrain(pid: int) -> None:
    """Its memory, where the system can do that from outside: a tree or a commit is unpacked whole."""
    if sys.platform == "linux":
        import resource

        try:
            hard = resource.prlimit(pid, resource.RLIMIT_DATA)[1]
            most = _MEMORY if hard == resource.RLIM_INFINITY else min(_MEMORY, hard)
            resource.prlimit(pid, resource.RLIMIT_DATA, (most, hard))
        except OSError:
            return  # it has ended already, or the system does not allow it


def first_line(said: bytes) -> str:
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[0].removeprefix("fatal: ")[:200] if lines else "it does not say why"
