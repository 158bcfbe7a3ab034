"""Standard input and output, for the protocol alone. They are read from the start, while the server is still loaded."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from occupancy_lsp.server import parent
from occupancy_lsp.server.frames import Frames
from occupancy_lsp.server.greeting import greeting

_CHUNK = 1 << 16

Body = tuple[bytes, bool]  # of a message, and whether it is answered already
Take = Callable[[list[Body]], None]


class Pipes:
    """`editor`: the process that started this one, from when it says so on: it may end before the server is loaded."""

    def __init__(self, client_pid: int | None) -> None:
        self.editor = parent.editor(client_pid)
        self._source, self._wire = _claim()
        self._changing = threading.Lock()
        self._waiting: list[Body] = []
        self._ended = False
        self._take: Take = self._waiting.extend
        self._end: Callable[[], None] = lambda: None
        # A daemon: nothing wakes a thread that reads a pipe, and the process must be able to end without it.
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    def follow(self, take: Take, end: Callable[[], None]) -> None:
        """Both are called in the reading thread, but for what has arrived already; `end` once nothing will come."""
        with self._changing:
            take(self._waiting)
            self._waiting = []
            self._take, self._end = take, end
            if self._ended:
                end()

    def write(self, data: bytes) -> None:
        # A file object would keep what a closed pipe did not take, and fail once more at the end.
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._wire, rest) :]

    def _read(self) -> None:
        frames, first = Frames(), True
        with suppress(OSError):  # the pipe is gone
            while data := self._source.read(_CHUNK):
                first = self._arrived([*frames.feed(data)], first) and first
        with self._changing:
            self._ended = True
            self._end()

    def _arrived(self, bodies: list[bytes], first: bool) -> bool:
        """What arrived at once is taken at once. Whether nothing has arrived yet."""
        answered = first and bool(bodies) and self._greeted(bodies[0])
        with self._changing:
            self._take([(body, answered and number == 0) for number, body in enumerate(bodies)])
        return not bodies

    def _greeted(self, body: bytes) -> bool:
        said = greeting(body)
        if said is None:
            return False
        self.editor = self.editor or parent.editor(said.editor)
        self.write(said.text)
        return True


def _claim() -> tuple[BinaryIO, int]:
    """What prints goes to stderr, what reads standard input finds it empty."""
    source, wire = os.fdopen(os.dup(0), "rb", 0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2 if sys.stderr else nothing, 1)
    os.close(nothing)
    sys.stdout = sys.stderr
    return source, wire
