"""Dependency files as compilers write them for make (`-MD`): what an object was made from."""

from __future__ import annotations

import re

from occupancy_lsp.core.regex import regex

MAX_BYTES = 4 << 20
_JOINED = regex(r"\\\r?\n")
# A name: what a backslash or a second dollar protects belongs to it.
_NAME = regex(r"(?:\\[ #\\]|\$\$|[^\s\\]|\\(?![ #\\\r\n]))+")
_TARGETS = regex(r"(?:[^\\:\r\n]|\\.|:(?!\s|$))+:(?=\s|$)")


def depends(data: bytes) -> tuple[str, ...]:
    """The prerequisites of all rules, in order: the source first. Empty: no such file. Never raises."""
    text = _JOINED.sub(" ", data[:MAX_BYTES].decode("utf-8", "replace"))
    found: list[str] = []
    for line in text.splitlines():
        if (rule := _TARGETS.match(line)) is not None:
            found += map(_plain, _NAME.findall(line, rule.end()))
    return tuple(dict.fromkeys(found))


def _plain(name: str) -> str:
    return re.sub(r"\\([ #])", r"\1", name.replace("$$", "$"))
