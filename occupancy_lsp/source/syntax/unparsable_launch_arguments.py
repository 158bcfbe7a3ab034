"""Launch arguments of which only the preprocessor makes expressions: `PAIR(, +)`, `name EMPTY (4)`."""

from __future__ import annotations

import re

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import argument_spans

_SIZES = regex(rb"<<<(?P<inside>[^;{}]{0,1000}?)>>>(?=\s*\()")
_WORDS = rb"const|unsigned|signed|long|short|struct|class|enum|typename|sizeof|alignof|template|new|and|or|not"
_TYPES = rb"void|bool|char|short|int|long|float|double|signed|unsigned"
# An argument that is nothing, ends with an operator, or is a type; a name beside what no expression has beside one.
_ODD = regex(
    rb"[(,]\s*,|,\s*\)|[*&/%%|^=!~<]\s*[,)]|(?<!\+)\+\s*[,)]|(?<!-)-\s*[,)]"
    rb"|\b(?!sizeof\b|alignof\b)\w+\s*\((?:[^()]*,)?\s*(?:%b)\b[\s\w*&]*[,)]"
    rb"|\b(?!(?:%b)\b)[A-Za-z_]\w*\s+(?!(?:%b)\b)\w" % (_TYPES, _WORDS, rb"and|or|not|bitand|bitor|xor")
)
_SHORTEST = len(b"(0)")


def without_unparsable_launch_arguments(code: bytes) -> bytes:
    """Return code, as long as before, with `(0)` in place of launch arguments that the grammar cannot read."""
    return _SIZES.sub(_zero_unreadable_arguments, code) if b"<<<" in code else code


def _zero_unreadable_arguments(match: re.Match[bytes]) -> bytes:
    found = bytearray(match[0])
    inside, by = match["inside"], len(b"<<<")
    for start, end in argument_spans(inside, 0, len(inside)):
        said = inside[start:end]
        if len(said) >= _SHORTEST and _ODD.search(said) is not None:
            kept = re.sub(rb"[^\s]", b" ", said[2:-1])
            found[start + by : end + by] = b"(0" + kept + b")"
    return bytes(found)
