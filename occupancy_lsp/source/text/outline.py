"""A file cut into top-level items, kept in step with edits.

Where an item ends depends on the bytes from its start on and on nothing before, so an edit reads again only the
items it touches, and a file edited piece by piece has the same items as one read afresh. What is unfinished or
broken in one item cannot hide the next kernel.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.text import Starts
from occupancy_lsp.source.text.tokens import code_pattern, directive_name

Kind = Literal["code", "directive", "open", "close"]


@remembered(64)
def _tokens(kernel_words: tuple[bytes, ...]) -> re.Pattern[bytes]:
    raw_strings = b"__kernel" not in kernel_words
    marks = rb"(?P<mark>[{};]|\b(?:%b)\b)" % b"|".join(kernel_words)
    starts = b"{};" + b"".join(word[:1] for word in kernel_words)
    return code_pattern(marks, starts=starts, raw_strings=raw_strings)


_TRIVIA = re.compile(rb"(?:\s+|\xef\xbb\xbf|//[^\\\r\n]*(?:\\(?:\r\n|.)?[^\\\r\n]*)*|/\*.*?(?:\*/|\Z))*", re.DOTALL)
_CONTAINER = re.compile(rb'(?:inline\s+)?namespace\b[^(;]*\Z|extern\s*"C(?:\+\+)?"\s*\Z')
_WORDS = rb"(?:(?:typedef|static|const)\s+)*"
_TYPE = re.compile(rb"%b(?:template\s*<.*?>\s*%b)?(?:class|struct|union|enum)\b" % (_WORDS, _WORDS), re.DOTALL)
_INITIALIZER = re.compile(rb"=\s*(?:\[.*)?\Z", re.DOTALL)
_PARAMETERS = re.compile(rb"\)(?:const\b|noexcept\b|override\b|\s)*\Z")
_ANNOTATION = re.compile(rb"(?:__align__|alignas|__attribute__|__declspec)\s*\((?:[^()]|\([^()]*\))*\)")
_BLANK_LINE = re.compile(rb"\n[ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class Item:
    """One top-level piece: a declaration or definition, a preprocessor line, or a namespace's opening or end.

    `text` starts where the item before it ended, so comments above a definition belong to it.
    """

    id: int
    kind: Kind
    text: bytes


def after_trivia(content: bytes, start: int) -> int:
    """Past the white space and comments at `start`."""
    match = _TRIVIA.match(content, start)
    return match.end() if match else start


def _opens(head: bytes) -> Literal["function", "declaration", "container"]:
    """What the brace after `head` opens."""
    if _CONTAINER.match(head):
        return "container"
    plain = _ANNOTATION.sub(b"", head)
    bounds = plain.rfind(b"__launch_bounds__")
    if bounds >= 0 and plain.count(b"(", bounds) > plain.count(b")", bounds):
        return "declaration"  # of an object in the bounds: `Config{128}.threads`
    if b"(" not in plain or _INITIALIZER.search(plain):
        return "declaration"
    if _TYPE.match(plain) and not _PARAMETERS.search(plain):
        return "declaration"
    return "function"


@dataclass(slots=True)
class _Scanner:
    """Walks the tokens of one item; each step answers the item's end and kind once it knows them."""

    content: bytes
    start: int
    first: int  # where the first token stands
    head: int  # where the part before the next outermost brace starts
    statement: int  # where the innermost statement started
    depth: int = 0
    shape: str = "declaration"
    kernel_seen: bool = False
    looked: int = 0  # how far blank lines have been looked for
    blank: int = 0  # where the last of them ends
    branches: list[int] = field(default_factory=list)  # brace depth at each open #if

    def directive(self, at: int, end: int) -> tuple[int, Kind] | None:
        if at == self.first:
            return end, "directive"
        name = directive_name(self.content, at)
        line = self.content.rfind(b"\n", self.start, at) + 1 or self.start
        if name in ("else", "elif", "elifdef", "elifndef"):
            if not self.branches:  # of an #if above this item: the other branch starts anew
                return line, "code"
            self.depth = self.branches[-1]
        elif name in ("if", "ifdef", "ifndef"):
            self.branches.append(self.depth)
        elif name == "endif":
            if self.branches:
                self.branches.pop()
        elif not self.depth:
            return line, "code"
        self.statement = end
        return None

    def kernel(self, at: int) -> tuple[int, Kind] | None:
        """No kernel stands inside a function or in another's head: what came before was left unfinished."""
        inside = self.shape == "function" if self.depth else self.kernel_seen
        self.kernel_seen = True
        if inside:
            for match in _BLANK_LINE.finditer(self.content, max(self.statement, self.looked), at):
                self.blank = match.end()
            self.looked = at
            cut = max(self.statement, self.blank)
            if cut > self.first:
                return cut, "code"
        return None

    def brace(self, at: int) -> tuple[int, Kind] | None:
        if not self.depth:
            head = self.content[self.head : at]
            self.shape = _opens(head[after_trivia(head, 0) :])
            if self.shape == "container":
                return at + 1, "open"
        self.depth += 1
        self.statement = at + 1
        return None

    def close(self, at: int) -> tuple[int, Kind] | None:
        if not self.depth:
            return (at + 1, "close") if at == self.first else (at, "code")
        self.depth -= 1
        self.statement = at + 1
        if not self.depth:
            self.head = at + 1
            if self.shape == "function":
                return at + 1, "code"
        return None

    def semicolon(self, at: int) -> tuple[int, Kind] | None:
        self.statement = at + 1
        return None if self.depth else (at + 1, "code")


def scan(content: bytes, start: int, kernel_words: tuple[bytes, ...]) -> tuple[int, Kind]:
    """End and kind of the item that starts at `start`, outside of every brace."""
    first = after_trivia(content, start)
    scanner = _Scanner(content, start, first, head=first, statement=first)
    steps = {b"{": scanner.brace, b"}": scanner.close, b";": scanner.semicolon}
    for match in _tokens(kernel_words).finditer(content, start):
        if match.lastgroup == "mark":
            done = steps.get(match["mark"], scanner.kernel)(match.start())
        elif match.lastgroup == "directive":
            done = scanner.directive(match.start("directive"), match.end())
        else:
            continue
        if done:
            return done
    return len(content), "code"


_IDS = count()  # of all files: an item of one is none of another


def new_id() -> int:
    return next(_IDS)


class Outline:
    """The items of a document in order, each with the offset at which it starts."""

    def __init__(self, content: bytes, kernel_words: tuple[bytes, ...] = (b"__global__",)) -> None:
        self._kernel_words = kernel_words
        self.items: list[Item] = []
        self._starts = Starts([])
        self._index_of: dict[int, int] = {}
        self.replace(content, 0, 0, len(content))

    def index_of(self, item_id: int) -> int:
        return self._index_of[item_id]

    def start_of(self, item_id: int) -> int:
        return self._starts[self._index_of[item_id]]

    def index_at(self, offset: int) -> int:
        """Index of the item that holds `offset`; -1 if there are no items."""
        return self._starts.up_to(offset) - 1

    def replace(self, content: bytes, start: int, old_end: int, new_end: int) -> None:
        """`content` is the document after its bytes from `start` to `old_end` became those up to `new_end`."""
        shift = new_end - old_end
        # The item before the one touched may have ended where it did because of what followed.
        first = max(self.index_at(max(start - 1, 0)) - 1, 0)
        at = self._starts[first] if self.items else 0
        found: list[tuple[Kind, bytes]] = []
        starts: list[int] = []
        while at < len(content):
            # Beyond the edit, and with the same byte before it: how an item reads depends on both.
            last = self._starts.up_to(at - shift - 1) if at > new_end else len(self.items)
            if first <= last < len(self.items) and self._starts[last] == at - shift:
                break
            end, kind = scan(content, at, self._kernel_words)
            starts.append(at)
            found.append((kind, content[at:end]))
            at = end
        else:
            last = len(self.items)
        self._starts.replace(first, last, starts, shift)
        self._replace(first, last, self._known(found, self.items[first:last]))

    def _replace(self, first: int, last: int, new: list[Item]) -> None:
        gone, self.items[first:last] = self.items[first:last], new
        if len(gone) != len(new):
            self._index_of = {item.id: index for index, item in enumerate(self.items)}
            return
        for item in gone:
            del self._index_of[item.id]
        self._index_of |= {item.id: index for index, item in enumerate(new, first)}

    def _known(self, found: list[tuple[Kind, bytes]], before: list[Item]) -> list[Item]:
        """The items found; one whose bytes stood here before keeps its id, so that what is known of it stays known."""
        known = {(item.kind, item.text): item for item in before}
        return [known.pop(it) if it in known else Item(new_id(), *it) for it in found]
