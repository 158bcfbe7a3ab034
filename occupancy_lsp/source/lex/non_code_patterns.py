"""What must be known of C++'s tokens to tell code from comments, strings and preprocessor lines."""

from __future__ import annotations

import re

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex

# A preprocessor line, with its continuation lines. Strings and block comments inside it may hold anything.
_IN_DIRECTIVE = rb"""(?:\\(?:\r\n|.)?|/\*.*?(?:\*/|\Z)|//[^\r\n]*|/|"(?:[^"\\\r\n]|\\.)*"?)[^\\\r\n/"]*"""

# From the start of a line on; of the others, what follows their first byte.
_DIRECTIVE = rb"""(?:\xef\xbb\xbf)?[ \t]*(?P<directive>(?:\#|%%:)[^\\\r\n/"]*(?:%b)*)""" % _IN_DIRECTIVE
_COMMENT = rb"""(?P<comment>/[^\\\r\n]*(?:\\(?:\r\n|.)?[^\\\r\n]*)*|\*.*?(?:\*/|\Z))"""
_RAW_STRING = (
    rb"""(?<![A-Za-z0-9_].)(?:(?<=u)8R|(?<=[uUL])R|(?<=R))"""
    rb"""(?P<raw>"(?P<delimiter>[^()\\\s"]{0,16})\(.*?(?:\)(?P=delimiter)"|\Z))"""
)
_STRING = rb"""(?P<string>[^"\\\r\n]*(?:\\(?:\r\n|.)[^"\\\r\n]*)*"?)"""
# An apostrophe between two hexadecimal digits separates digits; any other opens a character.
_CHARACTER = rb"""(?:(?<=[0-9A-Fa-f]')(?=[0-9A-Fa-f])|(?P<character>[^'\\\r\n]*(?:\\(?:\r\n|.)[^'\\\r\n]*)*'?))"""

# OpenCL has no raw strings, but whole files that C++ may include as one: then what is inside is the code.
_RAW_QUOTES = rb"""(?P<quotes>(?<=^R)"\w{0,16}\(|(?<=^\))\w{0,16}"(?=[;\s]*\Z))"""


def _patterns_by_first_byte(raw_strings: bool) -> tuple[tuple[bytes, bytes], ...]:
    raw = (rb"[uULR]", _RAW_STRING) if raw_strings else (rb"[R)]", _RAW_QUOTES)
    return (rb"/", _COMMENT), raw, (rb'"', _STRING), (rb"'", _CHARACTER)


def code_token_pattern(*wanted: bytes, starts: bytes = b"", raw_strings: bool = True) -> re.Pattern[bytes]:
    """A pattern that finds what is not code (by group name) and, in code only, each of `wanted`.

    `starts`: the bytes that any of `wanted` may start with.
    """
    found = b"|".join(
        (b"^" + _DIRECTIVE, *(first + rest for first, rest in _patterns_by_first_byte(raw_strings)), *wanted)
    )
    # Where none of all these can start, none is tried: a third of the time.
    return re.compile(rb"""(?=[#/"'uULR)%b]|^[ \t\xef%%])(?:%b)""" % (starts, found), re.DOTALL | re.MULTILINE)


def non_code_pattern(raw_strings: bool = True) -> re.Pattern[bytes]:
    """A pattern that finds what is not code, in text of which each line has a line end before it.

    It starts with a set of bytes, to the next of which the engine leaps.
    """
    rest = ((rb"\n", _DIRECTIVE), *_patterns_by_first_byte(raw_strings))
    found = b"|".join(rb"(?<=%b)%b" % it for it in rest)
    return re.compile(rb"""[\n/"'uULR)](?:%b)""" % found, re.DOTALL | re.MULTILINE)


_NOT_CODE = non_code_pattern()


@remembered(1)  # several look at the same file
def without_comments_and_strings(content: bytes) -> bytes:
    """With blanks in place of comments, strings and characters; preprocessor lines stay."""
    return _NOT_CODE.sub(_blank_comment_or_string, b"\n" + content)[1:]


def _blank_comment_or_string(match: re.Match[bytes]) -> bytes:
    return match[0] if match.lastgroup in ("directive", "delimiter") else b" " * len(match[0])


# `<::` is `<` and `::`, unless what follows makes it `<:` and `:`.
_DIGRAPH = regex(rb"<%|%>|<:(?!:[^:>])|:>")
_MEANT = {b"<%": b"{ ", b"%>": b" }", b"<:": b"[ ", b":>": b" ]"}


def without_digraphs(code: bytes) -> bytes:
    """Return code, without what is not, that has what its digraphs stand for, each as long as before."""
    if b"%>" not in code and b"<:" not in code:
        return code
    return _DIGRAPH.sub(lambda match: _MEANT[match[0]], code)


def has_open_quote(content: bytes) -> bool:
    """Return whether a string or a character ends with its line, which no code does."""
    found = ((it.lastgroup, it[0]) for it in _NOT_CODE.finditer(b"\n" + content))
    return any(kind in ("string", "character") and (said[-1:] != said[:1] or len(said) == 1) for kind, said in found)


_DIRECTIVE_NAME = regex(rb"(?:#|%:)[^\S\n]*([a-z_]*)")


def directive_name(content: bytes, at: int) -> str:
    """`define` of `#define …` or `%:define …` at `at`."""
    match = _DIRECTIVE_NAME.match(content, at)
    return match[1].decode() if match else ""


def is_first_in_line(content: bytes, at: int) -> bool:
    """Return whether but blanks stand before `at` in its line."""
    return not content[content.rfind(b"\n", 0, at) + 1 : at].strip(b" \t")
