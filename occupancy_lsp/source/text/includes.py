"""Which headers a text includes only where a macro asks for them, as `#ifdef USE_ROCM` does."""

from __future__ import annotations

import re

from occupancy_lsp.source.text.tokens import without_text

_LINE = re.compile(
    rb"^[ \t]*#[ \t]*(?P<word>ifdef|ifndef|if|elif|else|endif|include)\b[ \t]*(?P<rest>[^\r\n]*)", re.MULTILINE
)
_NAME = re.compile(rb'["<]([^">]+)[">]')
_QUERY = re.compile(rb"__has_include\s*\([^)]*\)")
_MACRO = re.compile(rb"(?<!\w)(?!defined\b)[A-Za-z_]\w*")


def asked_for(content: bytes) -> frozenset[str]:
    """As written: those that stand nowhere but where some macro is defined, or has some value."""
    found = _asked_for(content) if b"#" in content else frozenset()
    return _asked_for(without_text(content)) if found else found  # comments show directives, too


def _asked_for(content: bytes) -> frozenset[str]:
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
            asks.append(word in (b"ifdef", b"if", b"elif") and _asks(rest))
    return frozenset(found[True] - found[False])


def _asks(condition: bytes) -> bool:
    return b"!" not in condition and _MACRO.search(_QUERY.sub(b"", condition)) is not None
