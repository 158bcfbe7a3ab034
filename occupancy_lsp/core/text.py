"""A document as bytes: line starts, edits, and offsets to and from (line, column) in utf-8, utf-16 or utf-32.

Lines end at \\n, \\r\\n or \\r, as the Language Server Protocol says; nothing else ends a line.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Literal

from occupancy_lsp.core.regex import regex

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_EOL = regex(rb"\r\n|\n|\r")


class Starts:
    """Offsets that grow, of which an edit moves all behind it: those from index `_late` on are off by `_shift`.

    Typing in one place moves nothing but that number.
    """

    def __init__(self, starts: list[int]) -> None:
        self._starts = starts
        self._late = len(starts)
        self._shift = 0

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, index: int) -> int:
        start = self._starts[index]
        return start + self._shift if index >= self._late else start

    def up_to(self, offset: int) -> int:
        """How many are at most `offset`."""
        found = bisect_right(self._starts, offset, 0, self._late)
        if found < self._late:
            return found
        return bisect_right(self._starts, offset - self._shift, self._late)

    def replace(self, first: int, last: int, new: list[int], shift: int) -> None:
        """Put `new` in place of those from `first` to before `last`, and move those behind."""
        low, high = sorted((self._late, last))
        moved = self._shift if self._late < last else -self._shift
        self._starts[low:high] = [start + moved for start in self._starts[low:high]]
        self._starts[first:last] = new
        self._late = first + len(new)
        self._shift += shift


class Text:
    """UTF-8 bytes with the offset at which each line starts. Offsets are bytes; lines and columns count from 0."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        starts = [0, *accumulate(map(len, content.splitlines(keepends=True)))]
        if content and not content.endswith((b"\n", b"\r")):
            starts.pop()  # the last line has no break
        self._starts = Starts(starts)

    @property
    def line_count(self) -> int:
        return len(self._starts)

    def line_of(self, offset: int) -> int:
        return self._starts.up_to(offset) - 1

    def line_start(self, line: int) -> int:
        return self._starts[line]

    def line_end(self, line: int) -> int:
        """Offset at which the line's text ends, before its line break."""
        start = self._starts[line]
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.content)
        while end > start and self.content[end - 1] in b"\r\n":
            end -= 1
        return end

    def end_of_line(self, offset: int) -> int:
        """Where the text of the line ends that holds `offset`, which is not between the two bytes of a line break."""
        return self.line_end(self.line_of(offset))

    def lines_at(self, start: int, end: int) -> bytes:
        """Those that hold some of the text between two offsets, as far as \\n ends lines."""
        stop = self.content.find(b"\n", end)
        return self.content[self.content.rfind(b"\n", 0, start) + 1 : stop if stop >= 0 else len(self.content)]

    def offset(self, line: int, column: int, encoding: Encoding) -> int:
        """Byte offset of a position; one past the end of a line or of the text is moved back to that end."""
        if line >= len(self._starts):
            return len(self.content)
        start, end = self._starts[line], self.line_end(line)
        row = self.content[start:end]
        if encoding == "utf-8" or row.isascii():
            return start + min(column, len(row))
        text = row.decode("utf-8", "replace")
        if encoding == "utf-16":
            return start + len(text.encode("utf-16-le")[: 2 * column].decode("utf-16-le", "ignore").encode())
        return start + len(text[:column].encode())

    def position(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        line = self.line_of(offset)
        before = self.content[self._starts[line] : offset]
        if encoding == "utf-8" or before.isascii():
            return line, len(before)
        text = before.decode("utf-8", "replace")
        return line, len(text) if encoding == "utf-32" else len(text.encode("utf-16-le")) // 2

    def replace(self, start: int, end: int, new: bytes) -> None:
        """Put `new` in place of content[start:end]."""
        content = memoryview(self.content)
        self.content = b"".join((content[:start], new, content[end:]))
        stop = start + len(new)
        shift = stop - end
        kept = max(self._starts.up_to(start - 1), 1)
        before = self._starts[kept - 1]
        after = self._starts.up_to(end)
        # One byte on either side is scanned again: an edit may join or part a \r\n.
        around = (m.end() for m in _EOL.finditer(self.content, max(start - 1, 0), stop + 1))
        middle = [e for e in around if max(start, 1) <= e <= stop and e > before]
        self._starts.replace(kept, after, middle, shift)
