"""String literals of Python as texts of the same width, so that an offset in one is an offset in the file."""

from __future__ import annotations

import ast
import re
from itertools import pairwise

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.held import Piece
from occupancy_lsp.source.lex.span import Span

_OPENS = regex(rb"([A-Za-z]{0,2})(\"\"\"|'''|\"|')")
_BETWEEN = regex(rb"(?:\s|\\\r?\n|#[^\n]*)*")
# What escapes stand for, as wide as they are. A backslash may be followed by the end of the line alone.
_ESCAPES = {
    b"\\": b" \\", b"'": b" '", b'"': b' "', b"n": b"\n ", b"t": b"  ", b"r": b"  ", b"f": b"  ", b"v": b"  ",
    b"\n": b"  ",
}  # fmt: skip
_UNREAD = b"abxuUN01234567"  # escapes for what has another width, or is no text
# A character of C, or a word as in extern "C": each would be another with a blank in it. Or an escape.
_ESCAPE = regex(rb"(?<!\w)(\\?)'((?:\\\\)?)([^\\'\n])\1'|\\\"(\w+)\\\"|\\(.)", re.DOTALL)
_HOLE = regex(rb"\{([^{}'\"\\\n]+)\}")
_OPENING = (b"[", b"(", b"<", b",", b"=")
_CLOSING = (b"]", b")", b">", b",", b";")
_PLAIN = regex(rb"[\s;{}(),]")  # tokens end there


def pieces(text: bytes, span: Span, node: ast.Constant | ast.JoinedStr) -> tuple[Piece, ...] | None:
    """The literals that an expression is made of; None: what they say has no such form."""
    found: list[Piece] = []
    at = span.start
    while at < span.end:
        opened = _OPENS.match(text, at)
        close = _closing(text, opened, span.end) if opened else None
        if opened is None or close is None:
            return None
        piece = _piece(text, opened, close)
        if piece is None:
            return None
        found.append(piece)
        between = _BETWEEN.match(text, close + len(opened[2]), span.end)
        at = between.end() if between else span.end
    if at != span.end or not found or not _apart(found):
        return None
    if isinstance(node, ast.Constant) and not _says(found, node.value):
        return None
    return tuple(found)


def _closing(text: bytes, opened: re.Match[bytes], end: int) -> int | None:
    """Where the quotes stand that close it. A backslash hides one in raw literals, too."""
    at = opened.end()
    while (close := text.find(opened[2], at, end)) >= 0:
        escape = text.find(b"\\", at, close)
        if escape < 0:
            return close
        at = escape + 2
    return None


def _piece(text: bytes, opened: re.Match[bytes], close: int) -> Piece | None:
    prefix, quote = opened[1].lower(), opened[2]
    body: bytes | None = text[opened.end() : close]
    raw, formatted = b"r" in prefix, b"f" in prefix
    if b"b" in prefix or body is None:
        return None
    if formatted:
        body = _filled(body)
    if body is not None and not raw:
        body = _unescaped(body.replace(b"\\\r\n", b"\\\n "))
    if body is None:
        return None
    refused = (quote[:1].decode(), *(() if raw else ("\\",)), *(("{", "}") if formatted else ()))
    return Piece(Span(opened.end(), close), body, (*refused, *(("\n",) if len(quote) == 1 else ())))


def _unescaped(body: bytes) -> bytes | None:
    if b"\\" not in body:
        return body
    for it in _ESCAPE.finditer(body):
        separates = it[5] == b"'" and body[: it.start()][-1:].isalnum()
        if it[5] and (it[5] in _UNREAD or separates):
            return None
    return _ESCAPE.sub(_meant, body)


def _meant(it: re.Match[bytes]) -> bytes:
    if it[5]:
        return _ESCAPES.get(it[5], it[0])
    if it[4]:
        return (b'"' + it[4] + b'"').rjust(len(it[0]))
    return (b"'" + it[2][:1] + it[3] + b"'").rjust(len(it[0]))


def _filled(body: bytes) -> bytes | None:
    """With names in place of the holes, which nothing defines: each must be all that stands between its neighbours."""
    names: dict[bytes, bytes] = {}
    parts: list[bytes] = []
    at = 0
    for match in re.finditer(rb"\{\{|\}\}|\{|\}", body):
        if match.start() < at:
            continue
        parts.append(body[at : match.start()])
        at = match.end()
        if len(match[0]) == 2:
            parts.append(match[0][:1] + b" ")
            continue
        hole = _HOLE.match(body, match.start())
        name = _stand_in(body, hole, names) if hole else None
        if hole is None or name is None:
            return None
        parts.append(name)
        at = hole.end()
    return b"".join((*parts, body[at:]))


def _stand_in(body: bytes, hole: re.Match[bytes], names: dict[bytes, bytes]) -> bytes | None:
    if not body[: hole.start()].rstrip(b" \t").endswith(_OPENING):
        return None
    if not body[hole.end() :].lstrip(b" \t").startswith(_CLOSING):
        return None
    name = re.sub(rb"[^0-9A-Za-z_]", b"_", hole[0])
    taken = names.setdefault(name, hole[1]) != hole[1] or re.search(rb"\b" + name + rb"\b", body)
    return None if taken else name


def _apart(found: list[Piece]) -> bool:
    """Whether no token reaches from one literal into the next: between them is space that the program does not see."""
    pairs = ((first.shown, second.shown) for first, second in pairwise(found))
    return all(not a or not b or _PLAIN.match(a[-1:]) or _PLAIN.match(b[:1]) for a, b in pairs)


def _says(found: list[Piece], value: object) -> bool:
    shown = b"".join(it.shown for it in found)
    return isinstance(value, str) and b"".join(shown.split()) == b"".join(value.encode("utf-8", "replace").split())
