"""Where brackets close, in text whose comments and strings are blanked."""

from __future__ import annotations

import re

from occupancy_lsp.core.regex import regex

_PARENTHESIS = regex(rb"[()]")
_BRACE = regex(rb"[{}]")
_BRACKET = regex(rb"[][(){}]")


def past_parenthesis(text: bytes, start: int, end: int) -> int:
    """Return the offset past what closes the parenthesis before `start`; 0: nothing does before `end`."""
    return _past(_PARENTHESIS, b"(", text, start, end)


def past_brace(text: bytes, start: int) -> int:
    """The same of the brace before `start`."""
    return _past(_BRACE, b"{", text, start, len(text))


def _past(brackets: re.Pattern[bytes], opening: bytes, text: bytes, start: int, end: int) -> int:
    nesting = 1
    for match in brackets.finditer(text, start, end):
        nesting += 1 if match[0] == opening else -1
        if not nesting:
            return match.end()
    return 0


def closing_bracket(text: bytes, at: int, end: int, depth: int = 0) -> int:
    """Return where the bracket closes that opens at a place; the end if it does not. `depth`: of brackets that are open
    there already."""
    for match in _BRACKET.finditer(text, at, end):
        depth += 1 if match[0] in b"([{" else -1
        if depth <= 0:
            return match.start()
    return end
