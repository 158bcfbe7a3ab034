"""A text cut at its large blocks, and these between statements: each part is parsed alone.

So a key has one part parsed again, and an error stays in its part.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from operator import attrgetter

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span

# It starts with a set of bytes, to the next of which the engine leaps.
_MARK = regex(rb"""["'{}](?:(?<=")(?:[^"\\\n]|\\.)*"|(?<=')(?:[^'\\\n]|\\.)*'|(?<=\{)\s*\}|(?<=[{}]))""", re.DOTALL)
# What a block of statements stands behind: a head, `else`, or another statement.
_BEFORE = regex(rb"(?:[);{}]|\b(?:else|do|try|const|noexcept|override|mutable))\s*\Z")
_LOOKED_BACK = 40  # bytes
_LEAST = 800  # bytes of a block or part that is worth it
HEAD, TAIL = b"void f(){", b"}"  # of a function which has the statements of a part for its body
_GOES_ON = regex(rb"\s*(?:else|while)\b")
_START = attrgetter("start")
_CASE = regex(rb"\b(?:case|default)\b")  # all up to the next one belongs to it


@dataclass(frozen=True, slots=True)
class ParseChunk:
    """Whole statements of a block, or all that stands outside of large ones. `text`: of large blocks within the braces
    alone."""

    start: int
    end: int
    text: bytes
    inner: tuple[Block, ...]

    @property
    def holes(self) -> tuple[Span, ...]:
        """Where its large blocks stand."""
        return tuple(Span(it.start, it.end) for it in self.inner)


@dataclass(frozen=True, slots=True)
class Block:
    """From its brace to behind the one that closes it."""

    start: int
    end: int
    parts: tuple[ParseChunk, ...]


@dataclass(slots=True)
class _Open:
    """A brace that is not closed yet. `stretches`: the code in it outside of other braces."""

    start: int
    inner: list[Block]
    stretches: list[tuple[int, int]]
    since: int


def chunks_of(code: bytes) -> ParseChunk | None:
    """None: there are no large blocks, or the braces do not balance."""
    whole = _Open(-1, [], [], 0)
    within = [whole]
    for match in _MARK.finditer(code):
        mark = match[0]
        if mark == b"{":
            within[-1].stretches.append((within[-1].since, match.start()))
            within.append(_Open(match.start(), [], [], match.end()))
        elif mark == b"}":
            if len(within) == 1:
                return None
            closed, around = within.pop(), within[-1]
            closed.stretches.append((closed.since, match.start()))
            around.since = match.end()
            around.inner += (
                [_make_block(code, closed, match.end())] if _is_large_block(code, closed, match.end()) else closed.inner
            )
    return _chunk_with_holes(code, 0, len(code), whole.inner) if len(within) == 1 and whole.inner else None


def _is_large_block(code: bytes, it: _Open, end: int) -> bool:
    before = max(it.start - _LOOKED_BACK, 0)
    return end - it.start >= _LEAST and _BEFORE.search(code[before : it.start]) is not None


def _make_block(code: bytes, it: _Open, end: int) -> Block:
    starts = [it.start + 1, *_split_points(code, it)]
    ends = [*starts[1:], end - 1]
    within = [bisect_left(it.inner, at, key=_START) for at in (*starts, end)]
    inner = [it.inner[a:b] for a, b in pairwise(within)]
    return Block(it.start, end, tuple(map(partial(_chunk_with_holes, code), starts, ends, inner)))


def _chunk_with_holes(code: bytes, start: int, end: int, inner: Sequence[Block]) -> ParseChunk:
    edges = [start, *(edge for it in inner for edge in (it.start + 1, it.end - 1)), end]
    text = b"".join(code[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True))
    return ParseChunk(start, end, text, tuple(inner))


def _has_case_label(code: bytes, start: int, end: int) -> bool:
    """The bytes are quicker to find than the words, and few codes have them."""
    near = any(code.find(word, start, end) >= 0 for word in (b"case", b"default"))
    return near and _CASE.search(code, start, end) is not None


def _may_split_at(code: bytes, at: int) -> bool:
    """Whether a part may end there, if no parenthesis is open."""
    return code[at - 1 : at + 1] == b";\n" and _GOES_ON.match(code, at) is None


def _split_points(code: bytes, it: _Open) -> Iterator[int]:
    """Where a part may end, each some way behind the one before."""
    if any(_has_case_label(code, *stretch) for stretch in it.stretches):
        return
    last = counted = it.start + 1
    open_ = 0  # parentheses before `counted`
    for start, end in it.stretches:
        at = code.find(b";\n", max(start, last + _LEAST), end)
        while at >= 0:
            after = at + 1
            open_ += code.count(b"(", counted, after) - code.count(b")", counted, after)
            counted = after
            if not open_ and _may_split_at(code, after):
                yield after
                last = after
            at = code.find(b";\n", max(after, last + _LEAST), end)
