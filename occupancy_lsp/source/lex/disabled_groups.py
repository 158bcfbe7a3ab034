"""Groups of lines that a literal condition leaves out, as that of `#if 0`: what stands there need not be code.

They are lexed like all other text, as compilers do: a quote that nothing closes ends with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.non_code_patterns import code_token_pattern, directive_name
from occupancy_lsp.source.lex.span import Span

_LITERAL = regex(
    rb"#\s*(?:el)?if\b[ \t]*(?:(?P<no>(?:\(\s*(?:0|false)\s*\)|(?:0|false)\b)\s*(?:&&[^|?]*)?)"
    rb"|(?:\([ \t]*[1-9]\d*[ \t]*\)|[1-9]\d*\b))\s*(?://.*|/\*.*)?\Z",
    re.DOTALL,
)
_OPENING = frozenset(("if", "ifdef", "ifndef"))
_OTHERWISE = frozenset(("else", "elif", "elifdef", "elifndef"))
_LINES = code_token_pattern()


class DirectiveLine(Protocol):
    """A preprocessor line and where it starts."""

    @property
    def start(self) -> int: ...

    @property
    def text(self) -> bytes: ...


class OpenConditionals:
    """The conditionals that are open: of each, whether one of its groups so far surely is compiled, unless one before
    that is."""

    def __init__(self) -> None:
        self._decided: list[bool] = []

    def starts_disabled_group(self, line: bytes) -> bool:
        """Follow a preprocessor line; return whether the group that it begins is surely left out."""
        name = directive_name(line, 0)
        if name == "endif" and self._decided:
            self._decided.pop()
        if name not in _OPENING and name not in _OTHERWISE:
            return False
        before = self._decided.pop() if name in _OTHERWISE and self._decided else False
        literal = _LITERAL.match(line)
        self._decided.append(before or (literal is not None and literal["no"] is None))
        return before or (literal is not None and literal["no"] is not None)


def disabled_groups(lines: Sequence[DirectiveLine], end: int) -> Iterator[Span]:
    """Return the groups that are left out, each from its first preprocessor line to the one that ends it, or to `end`.

    `lines`: all of a text, in order.
    """
    conditionals = OpenConditionals()
    until = 0
    for index, line in enumerate(lines):
        if line.start >= until and conditionals.starts_disabled_group(line.text):
            following = _start_of_ending_directive((it.start, it.text) for it in lines[index + 1 :])
            until = end if following is None else following
            yield Span(line.start, until)


def disabled_group_end(content: bytes, start: int) -> int:
    """Return where the line starts that ends the group of lines that begins at `start`."""
    found = (it for it in _LINES.finditer(content, start) if it.lastgroup == "directive")
    end = _start_of_ending_directive((it.start("directive"), it["directive"]) for it in found)
    return len(content) if end is None else content.rfind(b"\n", start, end) + 1 or start


def _start_of_ending_directive(lines: Iterable[tuple[int, bytes]]) -> int | None:
    nesting = 0
    for start, text in lines:
        name = directive_name(text, 0)
        if not nesting and (name == "endif" or name in _OTHERWISE):
            return start
        nesting += (name in _OPENING) - (name == "endif")
    return None
