"""A Python file cut into the statements at its left margin, in step with its edits.

Where a statement ends hangs on nothing before it, so that an edit leaves those behind it as they are.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.core.sequences import shared_bytes, shared_ends
from occupancy_lsp.languages.python.statements import BOM, Statement, read

# What continues a statement at the left margin begins otherwise, or with one of these words.
_BEGINS = regex(rb"^\f*(?!(?:else|elif|except|finally)\b)[@A-Za-z_\x80-\xff]", re.MULTILINE)
_DEFINES = regex(rb"^\f*(?:async|def|class)\b", re.MULTILINE)
# What begins so, behind comments, stands in no brackets.
_OUTSIDE_BRACKETS = regex(
    rb"""(?:\s|\#[^\n]*\n)*
    (?: (?: @[^\n]*\n (?:\s|\#[^\n]*\n)* )+ (?:async[ \t]+def|class|def)
    | (?:async[ \t]+def|class|def|import|try|while|with) )\b""",
    re.VERBOSE,
)
_TEXT = regex(rb"\S")
_TRIPLE = regex(rb"\"\"\"|'''")
_TOKEN = regex(
    rb"""\#[^\n]* | (?P<triple>\"\"\"|''') | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | [][(){}]""",
    re.VERBOSE | re.DOTALL,
)
_LOOKED = 10  # bytes from where a statement begins, by which that is told
_MOST_JOINED = 256, 64_000  # pieces and bytes of a statement that goes on at the margin


class Cutting:
    """`starts`: where each of the statements starts in the file."""

    def __init__(self, content: bytes = b"") -> None:
        self.statements: list[Statement] = []
        self.starts: list[int] = []
        self._content = b""
        self._looked: list[int] = []  # up to where the file was looked at to find each
        self.follow(content)

    def follow(self, content: bytes) -> tuple[int, int]:
        """How many statements at the start, and how many at the end, are those that there were."""
        steps = self.steps(content)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                same: tuple[int, int] = end.value
                return same

    def steps(self, content: bytes) -> Generator[None, None, tuple[int, int]]:
        """`follow`, a statement at each step. Nothing is another before the last, nor ever, if others follow a text
        meanwhile."""
        was = self._content
        if content is was:
            return len(self.statements), 0
        same, same_at_end = shared_bytes(self._content, content)
        shift, old_end = len(content) - len(self._content), len(self._content) - same_at_end
        first = next((index for index, looked in enumerate(self._looked) if looked > same), len(self._looked))
        places = {start: index for index, start in enumerate(self.starts[first:], first) if start >= old_end}
        at = self.starts[first] if first < len(self.starts) else self._end()
        last = len(self.starts)
        known = {
            it.text: it
            for it, start in zip(self.statements[first:], self.starts[first:], strict=True)
            if start < old_end
        }
        pieces = _Pieces(content)
        came: list[Statement] = []
        starts, looked = [], []
        while at < len(content):
            if (again := places.get(at - shift)) is not None:
                last = again
                break
            statement, until = _statement(pieces, at, known)
            yield
            if self._content is not was:
                return len(self.statements), 0
            came.append(statement)
            starts.append(at)
            looked.append(until)
            at += len(statement.text)
        head, tail = shared_ends((self.statements[first:last], came))
        kept = first + head, len(self.statements) - last + tail
        self.statements[first:last] = came
        self.starts = [*self.starts[:first], *starts, *(it + shift for it in self.starts[last:])]
        self._looked = [*self._looked[:first], *looked, *(it + shift for it in self._looked[last:])]
        self._content = content
        return kept

    def _end(self) -> int:
        return self.starts[-1] + len(self.statements[-1].text) if self.starts else 0


def statements(content: bytes) -> list[Statement]:
    """Those of a file; together their texts are the file."""
    return Cutting(content).statements


@dataclass(frozen=True, slots=True)
class _Piece:
    """`looked`: up to where its end was looked for. `outside`: it stands in no brackets."""

    end: int
    looked: int
    outside: bool


class _Pieces(dict[int, _Piece]):
    """Of a file, by where they begin: each statement that is broken asks for those behind it."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.content = content

    def __missing__(self, begin: int) -> _Piece:
        content = self.content
        end, looked = _piece(content, begin)
        outside = _OUTSIDE_BRACKETS.match(content, begin, end) is not None
        found = self[begin] = _Piece(end, looked, outside)
        return found


def _statement(pieces: _Pieces, begin: int, known: Mapping[bytes, Statement]) -> tuple[Statement, int]:
    """The one that begins there, and up to where the file was looked at for it. `known`: read before, by its text."""
    content = pieces.content
    piece = pieces[begin]
    text = content[begin : piece.end]
    first = known.get(text) or read(text)
    if not first.broken:
        return first, piece.looked
    at, depth = begin, 0
    for _ in range(_MOST_JOINED[0]):
        depth += _opened(content[at : piece.end])
        if depth <= 0 or piece.end >= len(content):
            break
        at = piece.end
        piece = pieces[at]
        if piece.end - begin > _MOST_JOINED[1] or piece.outside:
            return first, piece.looked
    joined = first
    if depth <= 0 and piece.end > begin + len(text):
        text = content[begin : piece.end]
        joined = known.get(text) or read(text)
    return (joined if not joined.broken else first), piece.looked


@remembered(1024)
def _opened(piece: bytes) -> int:
    """How many more brackets it opens than it closes."""
    tokens = [it[0] for it in _TOKEN.finditer(piece)]
    return sum(it in b"([{" for it in tokens) - sum(it in b")]}" for it in tokens)


def _piece(content: bytes, begin: int) -> tuple[int, int]:
    """Where what begins there ends, before the comments of the next statement, and up to where that was looked for."""
    decorated, clear, searched = False, begin, begin
    text = found.start() if (found := _TEXT.search(content, begin)) else len(content)
    for match in _BEGINS.finditer(content, begin):
        at = match.start()
        clear = _outside(content, clear, at)
        if at < clear:
            continue
        first = max(_with_comments(content, at), begin)
        if first <= text:
            decorated = match[0].endswith(b"@") or content.startswith(BOM + b"@", at)
        elif not decorated or _DEFINES.search(content, searched, at):
            return first, max(at, clear) + _LOOKED
        searched = clear = at
    return len(content), len(content) + 1


def _outside(content: bytes, begin: int, until: int) -> int:
    """Where the last string in triple quotes ends that starts between two offsets; the first one lies in none.

    Only lines with such quotes are looked at.
    """
    at = begin
    while found := _TRIPLE.search(content, at, until):
        line = max(content.rfind(b"\n", 0, found.start()) + 1, at)
        at = found.end()
        for token in _TOKEN.finditer(content, line):
            if quote := token["triple"]:
                at = _closed(content, quote, token.end())
                break
            if token.end() >= found.end():
                at = found.end() if token.start() >= found.end() else token.end()
                break
    return at


def _closed(content: bytes, quote: bytes, begin: int) -> int:
    """The end of a string that begins there; that of the file, if it has none."""
    at = begin
    while (end := content.find(quote, at)) >= 0:
        before = end
        while before > begin and content[before - 1 : before] == b"\\":
            before -= 1
        if (end - before) % 2 == 0:
            return end + len(quote)
        at = end + 1
    return len(content)


def _with_comments(content: bytes, at: int) -> int:
    """Where the comments at the margin start that stand right before."""
    while at:
        line = content.rfind(b"\n", 0, at - 1) + 1
        if not content.startswith(b"#", line):
            return at
        at = line
    return at
