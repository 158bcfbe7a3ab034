"""Makefiles → how each source is compiled.

A word with something unknown in it is left out of a command. Where a condition is unknown both of its branches are
looked at: what only one of them says is in doubt.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from occupancy_lsp.core.regex import regex
from occupancy_lsp.workspace.compile_commands import Command, Made
from occupancy_lsp.workspace.compile_flags import VALUED, absolute, split_command
from occupancy_lsp.workspace.make.reading import MAKEFILES, Reading, Rule, TooMuch, text_of
from occupancy_lsp.workspace.make.text_functions import UNKNOWN, matched

_COMPILERS = regex(r"(?i)(?:.*[/\\])?(?:nvcc|hipcc|clang\+\+|amdclang\+\+)(?:[-.\d]*)(?:\.exe)?")
_COMPILER_NAMES = regex(r"(?i)\$[({]\s*\w*(?:nvcc|cuda|hipcc|hip_?cxx)\w*\s*[)}]")
_COMMANDS = regex(r"&&|\|\||;|\|")


def command_by_make(source: Path, root: Path, alike: Callable[[Sequence[Command]], bool]) -> tuple[Made, Path] | None:
    """How the nearest makefile between the source's folder and the root compiles it, and which makefile that is.

    `source`: absolute, below `root`. `alike`: whether commands mean the same. None: no makefile tells, or one that
    compiles it several times in ways that do not mean the same. Never raises.
    """
    for folder in source.parents:
        path = next((folder / it for it in MAKEFILES if (folder / it).is_file()), None)
        text = text_of(path, root) if path is not None else None
        if path is not None and text is not None:
            try:
                ways = _commands(text, folder, source, root)
            except (TooMuch, RecursionError):
                ways = []
            if ways:
                return (_together([it[0] for it in ways]), path) if all(map(alike, ways)) else None
        if folder == root:
            return None
    return None


def _commands(text: str, folder: Path, source: Path, root: Path) -> list[list[Command]]:
    """Of each way through the makefile by which the source is compiled."""
    found: list[list[Command]] = []
    ways: list[tuple[bool, ...]] = [()]
    for answers in ways:
        reading = Reading(folder, root, answers)
        reading.read(text)
        while len(answers) < reading.asked:
            ways.append((*answers, False))
            answers = (*answers, True)
        found.append(list(dict.fromkeys(_compiling(reading, source))))
    return [it for it in found if it]


def _together(commands: Sequence[Command]) -> Made:
    """What all say, and in doubt what only some do. An option goes with its value."""
    split = [_options(it.arguments) for it in commands]
    every = dict.fromkeys(option for options in split for option in options)
    known = [it for it in split[0] if all(it in options for options in split)]
    doubted = [word for it in every if it not in known for word in it]
    return Made(Command(commands[0].directory, tuple(word for it in known for word in it)), tuple(doubted))


def _options(words: Sequence[str]) -> list[tuple[str, ...]]:
    rest = iter(words)
    return [(it, *islice(rest, 1)) if VALUED.fullmatch(it) else (it,) for it in rest]


def _compiling(reading: Reading, source: Path) -> Iterator[Command]:
    """The commands that name the source: of rules that need it, or whose pattern it fits."""
    for rule in reading.rules:
        for target, first, stem in _uses(rule, source, reading.folder):
            own = {"<": first, "@": target, "^": rule.needs, "+": rule.needs, "?": rule.needs, "*": stem}
            making = reading.making(target)
            for line in rule.recipe:
                yield from _in_recipe(making, line, own, source)


def _uses(rule: Rule, source: Path, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Target, first prerequisite and stem."""
    if not rule.recipe:
        return
    targets, needs = rule.targets.split(), rule.needs.split()
    patterns = [rule.pattern.strip()] if rule.pattern is not None else [it for it in targets if "%" in it]
    for pattern in patterns:
        for need in needs:
            if "%" in need and (stem := _stem(need, source, folder)) is not None:
                yield pattern.replace("%", stem, 1), needs[0].replace("%", stem, 1), stem
    if not patterns and targets:
        yield targets[0], needs[0] if needs else "", ""


def _stem(pattern: str, source: Path, folder: Path) -> str | None:
    relative = os.path.relpath(source, folder).replace(os.sep, "/")
    every = (relative, f"./{relative}", str(source))
    return next((stem for it in every if (stem := matched(pattern, it)) is not None), None)


def _in_recipe(reading: Reading, line: str, own: Mapping[str, str], source: Path) -> Iterator[Command]:
    for part in _COMMANDS.split(reading.expanded(line.lstrip("@-+ "), own)):
        try:
            words = split_command(part)
        except ValueError:
            continue
        program = next(iter(words), "")
        compiles = _COMPILERS.fullmatch(program) or (program == UNKNOWN and _COMPILER_NAMES.match(line.lstrip("@-+ ")))
        if compiles and any(absolute(str(reading.folder), it) == source for it in words[1:] if it[:1] != "-"):
            options = (it for it in _options(words[1:]) if not any(UNKNOWN in word for word in it))
            known = (word for it in options for word in it)
            yield Command(str(reading.folder), ("nvcc" if program == UNKNOWN else program, *known))
