"""The base protocol: cuts a stream of bytes into message bodies. No input or output happens here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from occupancy_lsp.core.regex import regex

_LENGTH = regex(rb"content-length:[ \t]*(\d+)[ \t]*(?:\r\n|$)", re.IGNORECASE)
_HEADER_END = b"\r\n\r\n"
_HEADER_LIMIT = 1 << 14
MOST_BYTES = 1 << 26  # of a body


class Frames:
    """Bytes go in as they arrive, whole bodies come out. What is no header is skipped until the next one, and so is a
    body that is announced as too long."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._buffer += data
        while True:
            if self._length is None and not self._read_header():
                return
            if self._length is None:
                continue
            if len(self._buffer) < self._length:
                return
            body = bytes(self._buffer[: self._length])
            del self._buffer[: self._length]
            self._length = None
            yield body

    def _read_header(self) -> bool:
        """Consume one header block. False: it has not arrived yet."""
        end = self._buffer.find(_HEADER_END)
        if end < 0:
            if len(self._buffer) > 2 * _HEADER_LIMIT:
                del self._buffer[:-_HEADER_LIMIT]
            return False
        # The last one counts: a body longer than announced leaves its end before the next header.
        lengths = _LENGTH.findall(bytes(self._buffer[:end]))
        del self._buffer[: end + len(_HEADER_END)]
        if lengths and len(lengths[-1]) < 12 and int(lengths[-1]) <= MOST_BYTES:
            self._length = int(lengths[-1])
        return True
