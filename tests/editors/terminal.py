"""A terminal editor in a pty, and the screen it really draws."""

import os
import re
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pexpect
import pyte

# Keyboard protocol queries, which pyte would draw as text.
_PRIVATE = re.compile(rb"\x1b\[[>=?<][0-9;]*[umtpq]|\x1b\[\?u|\x1bP.*?\x1b\\", re.DOTALL)


# What a terminal is, asked for and told: Helix waits two seconds for it before it shows anything.
_ATTRIBUTES, _VT220 = b"\x1b[c", "\x1b[?62c"


class Terminal:
    def __init__(self, command: Sequence[object], cwd: Path, env: Mapping[str, str]) -> None:
        columns, rows = 180, 40
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "COLORTERM": "truecolor", **env}
        program, *arguments = map(str, command)
        self._process = pexpect.spawn(program, arguments, cwd=str(cwd), env=environment, dimensions=(rows, columns))

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        # The editor leads a session of its own; its server is in it.
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.close(force=True)

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    def type(self, *keys: str) -> None:
        """Sends keys one after the other; an Escape must not run into the key that follows."""
        for key in keys:
            self._process.send(key)
            self._draw(0.2)

    def wait(self, pattern: str, *, gone: bool = False, seconds: float = 20) -> str:
        """Waits until the screen shows the pattern, or no longer shows it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._draw(0.1)
            if bool(re.search(pattern, self.text())) != gone:
                return self.text()
        raise AssertionError(f"{pattern!r} {'stays' if gone else 'never came'}:\n{self.text()}")

    def _draw(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                data = self._process.read_nonblocking(65536, timeout=left)
            except (pexpect.TIMEOUT, pexpect.EOF):
                return
            if _ATTRIBUTES in data:
                self._process.send(_VT220)
            self._stream.feed(_PRIVATE.sub(b"", data))
