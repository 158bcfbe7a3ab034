"""CMake's values: texts, whose lists are parted by semicolons, with what nobody knows marked in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from occupancy_lsp.core.regex import regex

UNKNOWN = "\ufffd"  # stands for what only a machine, a disk or a user would tell
MAYBE = "\ufffc"  # before a word: it may be there or not
_ESCAPED = regex(r"\\(.)", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", ";": "\\;"}
_SPLIT = regex(r"(?<!\\);")
_DEEPEST = 20
_MOST_TEXT = 100_000


class TooMuch(Exception):
    """More work than the files of a person take."""


def is_open(text: str) -> bool:
    """Whether something nobody knows is in it."""
    return UNKNOWN in text or MAYBE in text


def elements(text: str) -> list[str]:
    """Of a list; empty ones are left out, as in the arguments of commands."""
    if "\\" not in text:
        return [it for it in text.split(";") if it]
    return [it.replace("\\;", ";") for it in _SPLIT.split(text) if it]


def joined(words: Iterable[str]) -> str:
    text = ";".join(words)
    if len(text) > _MOST_TEXT:
        raise TooMuch
    return text


def expanded(text: str, variable: Callable[[str], str], depth: int = 0) -> str:
    """With the values of `${NAME}`, and escapes."""
    if "$" not in text and "\\" not in text:
        return text
    if depth > _DEEPEST:
        raise TooMuch
    made: list[str] = []
    at = length = 0
    while at < len(text):
        opening = _REFERENCE.match(text, at)
        if opening:
            end = _closing(text, opening.end())
            name = expanded(text[opening.end() : end], variable, depth + 1)
            made.append(variable(name) if opening[1] == "" else UNKNOWN)
            at = end + 1
        elif text[at] == "\\" and at + 1 < len(text):
            made.append(_LETTERS.get(text[at + 1], text[at + 1]))
            at += 2
        else:
            plain = _PLAIN.match(text, at)
            made.append(plain[0] if plain else text[at])
            at += len(made[-1])
        length += len(made[-1])
        if length > _MOST_TEXT:
            raise TooMuch
    return "".join(made)


_REFERENCE = regex(r"\$(|ENV|CACHE)\{")
_PLAIN = regex(r"[^$\\]+")


def _closing(text: str, at: int) -> int:
    depth = 1
    end = text.find("}", at)
    if text.find("{", at, end) < 0:
        return end if end >= 0 else len(text)
    while at < len(text):
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth:
            return at
        at += 1
    return at


def either(values: Sequence[str]) -> str:
    """What one of several may be: words that all have stand as they are, others are marked."""
    if len({*values}) == 1:
        return values[0]
    split = [re.split(r"[;\s]+", it.strip()) if it.strip() else [] for it in values]
    every = dict.fromkeys(word for words in split for word in words)
    shared = {word for word in every if all(word in words for words in split)}
    separator = ";" if any(";" in it for it in values) or not any(re.search(r"\s", it) for it in values) else " "
    return separator.join(word if word in shared else MAYBE + word.lstrip(MAYBE) for word in every)


def is_true(text: str) -> bool | None:
    """As `if` takes a value; None: unknown. A path is true, whatever of it is unknown."""
    upper = text.upper()
    if is_open(text):
        return True if "/" in text and MAYBE not in text and not upper.endswith("-NOTFOUND") else None
    return upper not in ("", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND") and not upper.endswith("-NOTFOUND")
