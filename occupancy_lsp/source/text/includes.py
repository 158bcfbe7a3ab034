"""Which headers a text includes only where a macro asks for them, as `#ifdef USE_ROCM` does."""

from __future__ import annotations

import re

_LINE = re.compile(
    rb"^[ \t]*#[ \t]*(?P<word>ifdef|ifndef|if|elif|else|endif|include)\b[ \t]*(?P<rest>[^\r\n]*)", re.MULTILINE
)
_NAME = re.compile(rb'["<]([^">]+)[">]')


def asked_for(content: bytes) -> frozenset[str]:
    """As written: those that stand nowhere but where some macro is defined, or is not 0."""
    if b"#if" not in content:
        return frozenset()
    asks: list[bool] = []  # of each `#if` that is open, whether its branch here asks for a macro
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for line in _LINE.finditer(content):
        word, rest = line["word"], line["rest"]
        if word == b"include":
            if name := _NAME.match(rest):
                found[any(asks)].add(name[1].decode("utf-8", "surrogateescape"))
            continue
        if word in (b"elif", b"else", b"endif") and asks:
            asks.pop()
        if word != b"endif":
            asks.append(word in (b"ifdef", b"if", b"elif") and b"!" not in rest)
    return frozenset(found[True] - found[False])
