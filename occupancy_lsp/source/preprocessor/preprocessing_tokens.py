"""Preprocessing tokens: a text as the preprocessor sees it, and tokens as text again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex

_SPLICE = regex(r"\\\r?\n")
_TOKEN = regex(
    r"(?P<space>(?:\s|//[^\n]*|/\*.*?(?:\*/|\Z))+)"
    r'|(?P<string>(?:u8|[uUL])?(?:R"(?P<delimiter>[^()\\\s"]{0,16})\(.*?\)(?P=delimiter)"|"(?:[^"\\\n]|\\.)*"))'
    r"|(?P<character>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)*')"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)"
    r"|(?P<operator>%:%:|\.\.\.|<=>|<<=|>>=|->\*|##|%:|<%|%>|<:(?!:[^:>])|:>|\+\+|--|->|<<|>>|<=|>=|==|!=|&&|\|\|"
    r"|[-+*/%&|^]=|::|\.\*|[^\s\w])",
    re.DOTALL,
)
_DIGRAPHS = {"%:": "#", "%:%:": "##"}  # where the preprocessor itself heeds them


class Token(NamedTuple):
    """`spaced`: white space stands before it. `painted`: a name that is not expanded any more, wherever it comes to
    stand."""

    kind: str
    text: str
    spaced: bool = False
    painted: bool = False

    def is_operator(self, operator: str) -> bool:
        return self.kind == "operator" and (self.text == operator or _DIGRAPHS.get(self.text) == operator)

    def with_space(self, spaced: bool) -> Token:
        return self if self.spaced == spaced else self._replace(spaced=spaced)


@remembered(2048)
def lex_preprocessing_tokens(text: str) -> tuple[Token, ...]:
    """Lex a text whose lines have been told apart: line continuations are taken out, comments are white space."""
    found: list[Token] = []
    spaced = False
    for match in _TOKEN.finditer(_SPLICE.sub("", text) if "\\" in text else text):
        if match["space"] is not None:
            spaced = True
            continue
        kind = next(it for it in ("string", "character", "name", "number", "operator") if match[it] is not None)
        found.append(Token(kind, match[0], spaced))
        spaced = False
    return tuple(found)


def spell_tokens(tokens: Iterable[Token]) -> str:
    """Return text that reads as these tokens: a blank stands wherever two would run together."""
    found: list[str] = []
    before = ""
    for it in tokens:
        if before and (it.spaced or _need_space_between(before, it.text)):
            found.append(" ")
        found.append(it.text)
        before = it.text
    return "".join(found)


@remembered(4096)
def _need_space_between(one: str, other: str) -> bool:
    if one + other[:1] in ("//", "/*", ".."):
        return True
    return [it.text for it in lex_preprocessing_tokens(one + other)] != [one, other]


def stringify(tokens: Sequence[Token]) -> str:
    """Return the string literal that `#` makes of an argument."""
    said = [
        (" " if index and it.spaced else "")
        + (re.sub(r'["\\]', r"\\\g<0>", it.text) if it.kind in ("string", "character") else it.text)
        for index, it in enumerate(tokens)
    ]
    return f'"{"".join(said)}"'


def paste_tokens(left: Token, right: Token) -> Token | None:
    """Return the token that `##` makes of two; None: it makes no valid one."""
    made = lex_preprocessing_tokens(left.text + right.text)
    whole = len(made) == 1 and made[0].text == left.text + right.text
    return made[0].with_space(left.spaced) if whole else None
