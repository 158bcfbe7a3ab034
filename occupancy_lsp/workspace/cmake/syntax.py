"""The text of a CMakeLists.txt → its commands, as cmake-language(7) has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex

_MOST_COMMANDS = 20_000  # of one file
_TOKEN = regex(
    r"""\#\[(?P<comment>=*)\[.*?\](?P=comment)\]
    | \#[^\n]*
    | \[(?P<equals>=*)\[\n?(?P<bracket>.*?)\](?P=equals)\]
    | "(?P<quoted>[^"\\]*(?:\\.[^"\\]*)*)"
    | (?P<parenthesis>[()])
    | (?P<bare>(?:[^\s()\#"\\]|\\.|(?<=[^\s()\#"\\])"[^"\\]*(?:\\.[^"\\]*)*")+)
    | \s+""",
    re.VERBOSE | re.DOTALL,
)
_NAME = regex(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Argument:
    """`kind`: "bare", "quoted", "bracket", or "parenthesis" within others."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Call:
    """`name`: in small letters."""

    name: str
    arguments: tuple[Argument, ...]


def commands(text: str) -> list[Call]:
    """In order. What cannot be read ends the list, or is passed over."""
    found: list[Call] = []
    tokens = _tokens(text)
    before = ""
    for argument in tokens:
        if argument.kind == "parenthesis" and argument.text == "(" and before:
            found.append(Call(before.lower(), tuple(_inside(tokens))))
            before = ""
            if len(found) == _MOST_COMMANDS:
                break
        else:
            before = argument.text if argument.kind == "bare" and _NAME.fullmatch(argument.text) else ""
    return found


def _inside(tokens: Iterator[Argument]) -> Iterator[Argument]:
    """Up to the parenthesis that closes."""
    depth = 0
    for argument in tokens:
        if argument.kind == "parenthesis":
            depth += 1 if argument.text == "(" else -1
            if depth < 0:
                return
        yield argument


def _tokens(text: str) -> Iterator[Argument]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            at += 1  # an open quote, a lone backslash
            continue
        at = match.end()
        for kind in ("bracket", "quoted", "parenthesis", "bare"):
            if match[kind] is not None:
                yield Argument(match[kind].replace("\\\n", "") if kind == "quoted" else match[kind], kind)


_OPENS = {"if": "endif", "foreach": "endforeach", "while": "endwhile", "function": "endfunction", "macro": "endmacro"}
_OPENS["block"] = "endblock"


def block_end(calls: Sequence[Call], at: int) -> int:
    """The index of the command that closes the block which the one at `at` opens; the end of all where none does."""
    opening = calls[at].name
    closing = _OPENS[opening]
    depth = 0
    for index in range(at, len(calls)):
        depth += (calls[index].name == opening) - (calls[index].name == closing)
        if not depth:
            return index
    return len(calls)


def branches(calls: Sequence[Call], at: int, end: int) -> list[tuple[Call, int, int]]:
    """Of an `if`: what begins each branch, and where its commands begin and end."""
    found: list[tuple[Call, int, int]] = []
    depth, begun = 0, at
    for index in range(at + 1, end + 1):
        name = calls[index].name if index < end else "endif"
        if not depth and (index == end or name in ("elseif", "else")):
            found.append((calls[begun], begun + 1, index))
            begun = index
        depth += (name == "if") - (name == "endif")
    return found
