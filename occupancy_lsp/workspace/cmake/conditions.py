"""The conditions of `if` (cmake-commands(7)): true, false, or unknown."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.workspace.cmake.patterns import compiled
from occupancy_lsp.workspace.cmake.values import elements, is_open, is_true

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "LESS": operator.lt,
    "GREATER": operator.gt,
    "EQUAL": operator.eq,
    "LESS_EQUAL": operator.le,
    "GREATER_EQUAL": operator.ge,
}
_BINARY = regex(
    r"(VERSION_|STR)?(LESS|GREATER|EQUAL|LESS_EQUAL|GREATER_EQUAL)|MATCHES|IN_LIST|IS_NEWER_THAN|PATH_EQUAL"
)
_UNARY = ("DEFINED", "TARGET", "EXISTS", "COMMAND", "POLICY", "IS_DIRECTORY", "IS_SYMLINK", "IS_ABSOLUTE", "TEST")
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Word:
    """`plain`: not quoted, so that it may be a keyword or the name of a variable."""

    text: str
    plain: bool


Asked = Callable[[str, str], bool | None]  # what a unary test says of a name


class Conditions:
    """`variable`: its value, None where it is not set."""

    def __init__(self, variable: Callable[[str], str | None], asked: Asked) -> None:
        self.variable = variable
        self.asked = asked

    def answer(self, words: Sequence[Word]) -> bool | None:
        self.words = list(words)
        self.at = 0
        said = self.either(0)
        return said if self.at == len(self.words) else None

    def either(self, depth: int) -> bool | None:
        said = self.both(depth)
        while self.keyword() == "OR":
            self.at += 1
            said = _or(said, self.both(depth))
        return said

    def both(self, depth: int) -> bool | None:
        said = self.negated(depth)
        while self.keyword() == "AND":
            self.at += 1
            other = self.negated(depth)
            said = False if said is False or other is False else None if said is None or other is None else True
        return said

    def negated(self, depth: int) -> bool | None:
        if self.keyword() != "NOT" or depth > _DEEPEST:
            return self.test(depth)
        self.at += 1
        said = self.negated(depth + 1)
        return None if said is None else not said

    def test(self, depth: int) -> bool | None:
        word = self.keyword()
        if word == "(" and depth <= _DEEPEST:
            self.at += 1
            said = self.either(depth + 1)
            self.at += self.keyword() == ")"
            return said
        if word in _UNARY and self.at + 1 < len(self.words):
            self.at += 2
            name = self.words[self.at - 1].text
            return None if is_open(name) else self.asked(word, name)
        if self.at >= len(self.words):
            return None
        left = self.words[self.at]
        self.at += 1
        how = self.keyword()
        if _BINARY.fullmatch(how) and self.at + 1 < len(self.words):
            self.at += 2
            return self.compared(left, how, self.words[self.at - 1])
        if is_open(left.text):
            return is_true(left.text)
        if _CONSTANT.fullmatch(left.text):
            return is_true(left.text)
        value = self.variable(left.text) if left.plain else None
        return False if value is None else is_true(value)

    def compared(self, first: Word, how: str, second: Word) -> bool | None:
        left, right = self.value(first), self.value(second)
        if how == "IN_LIST":
            right = self.variable(second.text) or ""
            return None if is_open(left + right) else left in elements(right)
        if is_open(left + right):
            return None
        if how == "MATCHES":
            pattern = compiled(second.text, left)
            return bool(pattern.search(left)) if pattern else None
        if how.startswith("STR"):
            return _ORDER[how[3:]](left, right)
        if how.startswith("VERSION_"):
            both = [_version(it) for it in (left, right)]
            width = max(map(len, both))
            one, other = ([*it, *[0] * (width - len(it))] for it in both)
            return _ORDER[how[8:]](one, other)
        if how in _ORDER:
            numbers = [it.strip() for it in (left, right)]
            known = all(re.fullmatch(r"-?\d{1,9}", it) for it in numbers)
            return _ORDER[how](int(numbers[0]), int(numbers[1])) if known else False
        return None

    def value(self, word: Word) -> str:
        said = self.variable(word.text) if word.plain else None
        return word.text if said is None else said

    def keyword(self) -> str:
        if self.at >= len(self.words):
            return ""
        word = self.words[self.at]
        return word.text if word.plain else ""


_CONSTANT = regex(r"(?i)1|ON|YES|TRUE|Y|0|OFF|NO|FALSE|N|IGNORE|NOTFOUND|.*-NOTFOUND|-?\d+(?:\.\d+)?|")


def _or(one: bool | None, other: bool | None) -> bool | None:
    return True if one or other else None if one is None or other is None else False


def _version(text: str) -> list[int]:
    return [int(it) for it in re.findall(r"\d{1,9}", text.split("-")[0])[:6]]
