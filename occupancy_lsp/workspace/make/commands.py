"""Makefiles → how each source is compiled, where all ways through one say the same.

A word with something unknown in it is left out of a command, and where a condition is unknown both of its branches are
looked at.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from occupancy_lsp.workspace.compile_commands import Command
from occupancy_lsp.workspace.compile_flags import absolute, split_command
from occupancy_lsp.workspace.make.reading import MAKEFILES, Reading, Rule, TooMuch, text_of
from occupancy_lsp.workspace.make.text_functions import UNKNOWN, matched

_COMPILERS = re.compile(r"(?i)(?:.*[/\\])?(?:nvcc|hipcc|clang\+\+|amdclang\+\+)(?:[-.\d]*)(?:\.exe)?")
_COMPILER_NAMES = re.compile(r"(?i)\$[({]\s*\w*(?:nvcc|cuda|hipcc|hip_?cxx)\w*\s*[)}]")
_COMMANDS = re.compile(r"&&|\|\||;|\|")


def command_by_make(
    source: Path, root: Path, alike: Callable[[Sequence[Command]], bool]
) -> tuple[Command, Path] | None:
    """How the nearest makefile between the source's folder and the root compiles it, and which makefile that is.

    `source`: absolute, below `root`. `alike`: whether commands mean the same. None: no makefile tells, or commands that
    do not mean the same. Never raises.
    """
    for folder in source.parents:
        path = next((folder / it for it in MAKEFILES if (folder / it).is_file()), None)
        text = text_of(path, root) if path is not None else None
        if path is not None and text is not None:
            try:
                found = _commands(text, folder, source, root)
            except (TooMuch, RecursionError):
                found = []
            if found:
                return (found[0], path) if alike(found) else None
        if folder == root:
            return None
    return None


def _commands(text: str, folder: Path, source: Path, root: Path) -> list[Command]:
    """Of all ways through the makefile."""
    found: dict[Command, None] = {}
    ways: list[tuple[bool, ...]] = [()]
    for answers in ways:
        reading = Reading(folder, root, answers)
        reading.read(text)
        while len(answers) < reading.asked:
            ways.append((*answers, False))
            answers = (*answers, True)
        found.update(dict.fromkeys(_compiling(reading, source)))
    return list(found)


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
            known = (it for it in words[1:] if UNKNOWN not in it)
            yield Command(str(reading.folder), ("nvcc" if program == UNKNOWN else program, *known))
