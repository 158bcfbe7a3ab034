"""The text that a condition or a loop governs, by brackets and semicolons alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.brackets import closing_bracket
from occupancy_lsp.source.lex.span import Span

_HEAD = regex(rb"\s*(?:if(?:\s+constexpr)?|for|while|switch)\s*\(")
_LEADS_ON = regex(rb"\s*(?:do|else)\b")
_ELSE = regex(rb"\s*else\b")
_STATEMENT = regex(rb"[][(){};]")
_OPENS = regex(rb"\s*\{")
_KEYWORD = regex(rb"\b(?:if(?:\s+constexpr)?|for|while|switch|return|sizeof|alignof)\s*\(")
_MORE = regex(rb"\b(?:break|continue|goto|throw|asm|__asm__|__asm|co_\w+)\b|[\w>\]]\s*\(|^[ \t]*#", re.MULTILINE)
_COUNTED = regex(rb"(?:\+\+|--)\s*([A-Za-z_]\w*)\s*[;),]|(?:[;{}(),]|\A)\s*([A-Za-z_]\w*)\s*(?:\+\+|--)|\+\+|--")
_RETURN = regex(rb"\breturn\b")
_LOOP = regex(rb"\b(?:for\s*\(|while\s*\(|(?:do|goto)\b)")
_LONGEST = 256  # bytes that are looked at
_MOST = 64  # loops


def controlled_statements(text: bytes, at: int, end: int) -> Span | None:
    """Return the statements that a condition governs which ends there, and where one returns, all that follows; None:
    they are too long to be looked at."""
    limit = min(end, at + _LONGEST)
    closing = at if text[at : at + 1] == b")" else closing_bracket(text, at, limit, 1)
    until = _statement_end(text, closing + 1, limit)
    if until < limit and _RETURN.search(text, at, until):
        until = end
    return Span(at + 1, until) if until < limit or limit == end else None


def does_more_than_assign(said: bytes) -> bool:
    """Return whether statements surely or perhaps do more than to give variables values, and to return."""
    return _MORE.search(_KEYWORD.sub(b"(", said)) is not None


def incremented_variables(said: bytes) -> Iterator[str]:
    """Yield the variables that are counted up or down; "" for what is none."""
    for it in _COUNTED.finditer(said):
        yield (it[1] or it[2] or b"").decode()


def repeated_spans(text: bytes, body: Span) -> Sequence[Span]:
    """Return what is run again: the loops of a body, and all of it where it jumps."""
    found: list[Span] = []
    for it in islice(_LOOP.finditer(text, body.start, body.end), _MOST):
        if it[0] == b"goto":
            return [body]
        found.append(Span(it.start(), _statement_end(text, it.start(), body.end)))
    return found


def _statement_end(text: bytes, at: int, end: int) -> int:
    while at < end:
        if head := _HEAD.match(text, at, end):
            at = closing_bracket(text, head.end() - 1, end) + 1
        elif lead := _LEADS_ON.match(text, at, end):
            at = lead.end()
        else:
            opened = _OPENS.match(text, at, end)
            at = 1 + (closing_bracket(text, opened.end() - 1, end) if opened else _find_semicolon(text, at, end))
            if not _ELSE.match(text, at, end):
                break
    return min(at, end)


def _find_semicolon(text: bytes, at: int, end: int) -> int:
    depth = 0
    for match in _STATEMENT.finditer(text, at, end):
        if match[0] == b";" and depth <= 0:
            return match.start()
        depth += (match[0] in b"([{") - (match[0] in b")]}")
    return end
