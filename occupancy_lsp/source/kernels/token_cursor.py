"""A kernel's code as tokens, and a place in them: what rules that follow statements walk by."""

from __future__ import annotations

import re

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex

TOKEN = regex(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\.?\d(?:[\w.]|[eE][+-])*|[A-Za-z_]\w*"
    r"|<<=|>>=|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|::|\+\+|--|->|\S",
    re.DOTALL,
)


class UnfollowableCode(Exception):
    """The code is not of the plain part of C++ that is followed."""


@dataclass(slots=True)
class Tokens:
    """`at`: the next token. What is not there raises Unclear."""

    tokens: list[str]
    at: int = 0

    def peek(self) -> str:
        if self.at >= len(self.tokens):
            raise UnfollowableCode
        return self.tokens[self.at]

    def expect_token(self, token: str) -> None:
        if self.peek() != token:
            raise UnfollowableCode
        self.at += 1

    def read_until_semicolon(self) -> list[str]:
        """The tokens before the next `;` outside of brackets."""
        start, depth = self.at, 0
        while depth or self.peek() != ";":
            depth += (self.peek() in "([{") - (self.peek() in ")]}")
            if depth < 0:
                raise UnfollowableCode
            self.at += 1
        self.at += 1
        return self.tokens[start : self.at - 1]

    def read_parenthesised(self) -> list[str]:
        """The tokens between the parenthesis here and its counterpart."""
        self.expect_token("(")
        start, depth = self.at, 1
        while depth:
            depth += (self.peek() == "(") - (self.peek() == ")")
            self.at += 1
        return self.tokens[start : self.at - 1]


def tokens_of(text: bytes) -> list[str]:
    found = TOKEN.findall(text.decode("utf-8", "replace"))
    return [token for token in found if not token.startswith(("//", "/*"))]
