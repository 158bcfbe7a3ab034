"""One way through a makefile: its variables, conditionals and rules, as GNU make's manual has them.

What the shell, the disk or the environment would answer is unknown.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import Content, read_file, stays_in
from occupancy_lsp.core.reads import note_for_all
from occupancy_lsp.core.regex import regex
from occupancy_lsp.workspace.compile_flags import absolute
from occupancy_lsp.workspace.make.text_functions import UNKNOWN, arguments, called, matched, patsubst

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")  # in the order in which make looks for them
_MOST_BYTES = 1 << 20
_MOST_OPEN = 5  # conditions whose answer is unknown; each doubles the work
_MOST_STEPS = 5_000  # expansions, of one reading
_MOST_TEXT = 50_000  # of one expansion
_MOST_INCLUDED = 50
_DEEPEST = 40

_ASSIGNS = regex(r"\s*(?:(?:export|override|private)\s+)*([\w.@%/-]+)\s*(\?=|\+=|::?:?=|!=|=)\s*(.*)", re.DOTALL)
_CONDITION = regex(r"\s*(ifeq|ifneq|ifdef|ifndef|else|endif)\b\s*(.*)", re.DOTALL)
_INCLUDES = regex(r"\s*[-s]?include\s+(.*)")
_DEFINES = regex(r"\s*(?:(?:override|export)\s+)*define\s+(\S+)")
# Variables that make or the environment sets; all others are empty unless somebody does.
_OF_THE_MACHINE = regex(r"MAKE\w*|SHELL|HOME|USER|PWD|PATH|\w+_(?:HOME|PATH|ROOT|DIR)")
_SYSTEM = {"OS": "Windows_NT"} if sys.platform == "win32" else {}


class TooMuch(Exception):
    """More work than a makefile of a person takes."""


@dataclass(frozen=True, slots=True)
class _Variable:
    text: str
    recursive: bool  # expanded where it is used


@dataclass(frozen=True, slots=True)
class Rule:
    targets: str
    pattern: str | None  # of a static pattern rule, that of its targets
    needs: str
    recipe: list[str]


@dataclass(slots=True)
class Reading:
    """One way through a makefile. `answers`: to the conditions that are unknown, in their order."""

    folder: Path
    root: Path
    answers: Sequence[bool]
    variables: dict[str, _Variable] = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)
    given: list[tuple[str, str, str, str]] = field(default_factory=list)  # targets, and what a variable is for them
    asked: int = 0  # conditions whose answer is unknown
    steps: int = 0
    included: int = 0

    # -- lines

    def read(self, text: str) -> None:
        lines = _lines(text)
        holds: list[bool | None] = []  # of each condition around; None: a branch before it was taken
        recipe: list[str] | None = None
        for line in lines:
            if line.startswith("\t") and recipe is not None:
                recipe += [line.strip()] if all(holds) else []
            elif match := _CONDITION.fullmatch(line):
                self.condition(match[1], match[2], holds)
            elif not all(holds):
                continue
            elif match := _DEFINES.match(line):
                self.skip_definition(lines, match[1])
            elif match := _ASSIGNS.fullmatch(line):
                recipe = None
                self.assign(match[1], match[2], match[3])
            elif match := _INCLUDES.fullmatch(line):
                self.include(match[1])
            elif ":" in line:
                recipe = self.rule(*line.split(":", 1))

    def skip_definition(self, lines: Iterator[str], name: str) -> None:
        self.variables[name] = _Variable(UNKNOWN, False)
        for line in lines:
            if line.strip() == "endef":
                return

    def condition(self, word: str, rest: str, holds: list[bool | None]) -> None:
        if word == "endif":
            del holds[-1:]
        elif word == "else":
            taken = holds.pop() if holds else True
            if taken is False and (match := _CONDITION.fullmatch(rest)):
                self.condition(match[1], match[2], holds)
            else:
                holds.append(True if taken is False else None)
        else:
            holds.append(self.answer(word, rest) if all(holds) else None)

    def answer(self, word: str, rest: str) -> bool:
        if word in ("ifdef", "ifndef"):
            said = self.variables.get(self.expanded(rest).strip())
            known = said is None or said.text != UNKNOWN
            return (said is not None and said.text != "") == (word == "ifdef") if known else self.guess()
        both = [self.expanded(it.strip()) for it in _compared(rest)]
        if len(both) != 2 or any(UNKNOWN in it for it in both):
            return self.guess()
        return (both[0] == both[1]) == (word == "ifeq")

    def guess(self) -> bool:
        self.asked += 1
        if self.asked > _MOST_OPEN:
            raise TooMuch
        return self.answers[self.asked - 1] if self.asked <= len(self.answers) else True

    def assign(self, name: str, how: str, text: str) -> None:
        before = self.variables.get(name)
        if how == "!=":
            self.variables[name] = _Variable(UNKNOWN, False)
        elif how == "?=":
            self.variables.setdefault(name, _Variable(text, True))
        elif how == "+=" and before is not None:
            added = text if before.recursive else self.expanded(text)
            # No blank beside what is empty, as GNU make since 4.3.
            joined = " ".join(it for it in (before.text, added) if it)
            self.variables[name] = replace(before, text=joined[:_MOST_TEXT])
        elif how in ("=", "+="):
            self.variables[name] = _Variable(text, True)
        else:
            self.variables[name] = _Variable(self.expanded(text), False)

    def include(self, names: str) -> None:
        for name in self.expanded(names).split():
            path = absolute(str(self.folder), name)
            self.included += 1
            if self.included > _MOST_INCLUDED:
                raise TooMuch
            if UNKNOWN not in name and (text := text_of(path, self.root)) is not None:
                self.read(text)

    def rule(self, targets: str, rest: str) -> list[str] | None:
        """Its recipe, to which the lines that follow belong; None: it gives a variable of these targets."""
        if match := _ASSIGNS.fullmatch(rest):
            self.given.append((self.expanded(targets), match[1], match[2], match[3]))
            return None
        needs, semicolon, command = rest.removeprefix(":").partition(";")
        recipe = [command.strip()] if semicolon else []
        first, colon, second = self.expanded(needs).partition(":")
        pattern, needs = (first, second) if colon else (None, first)
        self.rules.append(Rule(self.expanded(targets), pattern, needs, recipe))
        return recipe

    def making(self, target: str) -> Reading:
        """With the variables as they are in that target's recipe."""
        own = [it for it in self.given if any(matched(pattern, target) is not None for pattern in it[0].split())]
        if not own:
            return self
        made = replace(self, variables={**self.variables})
        for _, name, how, text in own:
            made.assign(name, how, text)
        return made

    # -- expansion

    def expanded(self, text: str, own: Mapping[str, str] | None = None, depth: int = 0) -> str:
        """`own`: the automatic variables of a recipe, `<`, `@` and their like."""
        if "$" not in text:
            return text
        if depth > _DEEPEST:
            raise TooMuch
        made: list[str] = []
        at = 0
        for start, end, inner in _references(text):
            made += (text[at:start], self.value(inner, own, depth))
            at = end
        whole = "".join(made) + text[at:]
        if len(whole) > _MOST_TEXT:
            raise TooMuch
        return whole

    def value(self, inner: str, own: Mapping[str, str] | None, depth: int) -> str:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise TooMuch
        if inner == "$":
            return "$"
        if own is not None and inner in own:
            return own[inner]
        if match := re.fullmatch(r"([a-z-]+)\s+(.*)", inner, re.DOTALL):
            return called(match[1], [self.expanded(it, own, depth + 1) for it in arguments(match[2])])
        name, colon, replacing = self.expanded(inner, own, depth + 1).partition(":")
        value = self.variable(name, own, depth)
        if not colon:
            return value
        old, equals, new = replacing.partition("=")
        if not equals:
            return UNKNOWN
        return patsubst(*((old, new) if "%" in old else (f"%{old}", f"%{new}")), value)

    def variable(self, name: str, own: Mapping[str, str] | None, depth: int) -> str:
        said = self.variables.get(name)
        if said is not None:
            return self.expanded(said.text, own, depth + 1) if said.recursive else said.text
        if UNKNOWN in name or _OF_THE_MACHINE.fullmatch(name):
            return UNKNOWN
        return str(self.folder) if name == "CURDIR" else _SYSTEM.get(name, "")


def _lines(text: str) -> Iterator[str]:
    """Joined where a backslash ends them, without comments; those of recipes start with a tab."""
    joined = re.sub(r"\\\r?\n[ \t]*", " ", text)
    for line in joined.splitlines():
        plain = line if line.startswith("\t") else re.sub(r"(?<!\\)#.*", "", line)
        if plain.strip():
            yield plain


def _compared(text: str) -> list[str]:
    """The two sides of `(a,b)`, `"a" "b"` or `'a' 'b'`."""
    text = text.strip()
    if text.startswith("(") and text.endswith(")"):
        return arguments(text[1:-1])
    return [it[1:-1] for it in re.findall(r'"[^"]*"|\'[^\']*\'', text)]


def _references(text: str) -> Iterator[tuple[int, int, str]]:
    """Start and end of each `$(…)`, `${…}` or `$x`, and what is inside."""
    at = text.find("$")
    while 0 <= at < len(text) - 1:
        end = _closing(text, at + 1) if text[at + 1] in "({" else at + 1
        yield at, end + 1, text[at + 2 : end] if end > at + 1 else text[at + 1]
        at = text.find("$", end + 1)


def _closing(text: str, opened: int) -> int:
    opening, closing = text[opened], ")" if text[opened] == "(" else "}"
    depth = 0
    for at in range(opened, len(text)):
        if text[at] == opening:
            depth += 1
        elif text[at] == closing:
            depth -= 1
            if not depth:
                return at
    return len(text)


def text_of(path: Path, root: Path, most: int = _MOST_BYTES) -> str | None:
    """None: there is none, it has more than `most` bytes, or is a link out of the root."""
    note_for_all(str(path), most)
    content = read_file(path, most) if stays_in(path, root) else None
    return content.data.decode("utf-8", "replace") if isinstance(content, Content) else None
