"""What a compiler says of a failure → its own first error, with its place in the source."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path

from occupancy_lsp.compile.job import MOST_SECONDS, Done
from occupancy_lsp.compile.remedies import remedy
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex

_MOST = 300
_MOST_LINES, _MOST_LINE, _MOST_ERRORS = 2_000, 2_000, 500
# `a.cu(3): error: …` of nvcc; `a.cu:3:5: fatal error: …` of gcc and clang; `a.cu(3,5): …` of cl.
_PLACED = regex(
    r"^(.+?)(?:\((\d+)(?:,(\d+))?\)|:(\d+)(?::(\d+))?) ?: (?:fatal |catastrophic )?error[^:\n]*: (.+)$", re.M
)
# `nvcc fatal   : …`, `ptxas x.ptx, line 33; error   : …`, `clang: error: …`
_PLAIN = regex(r"^(?:.*?\b(?:fatal|error)(?: error)?\s*:) *(.+)$", re.MULTILINE)
_COLOUR = regex(r"\x1b\[[0-9;]*[mK]")
_NONE: Mapping[str, str] = {}
_DENIED = "; a compiler may read the workspace and the folders that its arguments name"
_STOPPED = {
    "cancelled": "cancelled",
    "timeout": f"it took longer than {MOST_SECONDS:.0f} s and was ended",
    "output": "it said too much and was ended",
}


@dataclass(frozen=True, slots=True)
class Failure(Problem):
    """The first error that a compiler told with its place. `every`: all such errors, this one among them."""

    every: tuple[Problem, ...] = ()


def too_long(source: Path) -> Problem:
    return Problem(str(source), 0, 0, f"not compiled: {_STOPPED['timeout']}")


def took_too_long(problems: Iterable[Problem]) -> bool:
    """Whether a compiler was ended for the time that it took."""
    return any(it.message.endswith(_STOPPED["timeout"]) for it in problems)


def changed(source: Path) -> Problem:
    """What was compiled may be neither the old text nor the new: it must not be kept under the key of either."""
    return Problem(str(source), 0, 0, "not compiled: it changed meanwhile")


def failure(done: Done, tool: str, source: Path, folder: Path, originals: Mapping[str, str] = _NONE) -> Problem:
    """Of a run that did not go well; `folder`: where it ran. `originals`: of files that were written there, by name."""
    if done.stopped:
        return Problem(str(source), 0, 0, f"not compiled: {tool}: {_STOPPED[done.stopped]}")
    lines = _COLOUR.sub("", done.output).split("\n", _MOST_LINES)[:_MOST_LINES]
    text = "\n".join(line[:_MOST_LINE] for line in lines)
    placed, plain = _PLACED.search(text), _PLAIN.search(text)
    if placed and (plain is None or placed.start() <= plain.start()):
        found = islice(_PLACED.finditer(text), _MOST_ERRORS)
        every = tuple(_placed(it, tool, source, folder, originals) for it in found)
        first = every[0]
        return Failure(first.path, first.line, first.column, first.message, first.remedy, every=every)
    said = plain[1] if plain else next((it.strip() for it in text.splitlines() if it.strip()), "")
    said = said[:_MOST] or f"it ended with status {done.status}"
    return Problem(str(source), 0, 0, f"not compiled: {tool}: {said}", remedy(said))


def _placed(match: re.Match[str], tool: str, source: Path, folder: Path, originals: Mapping[str, str]) -> Problem:
    message = f"not compiled: {tool}: {match[6][:_MOST]}{_DENIED if 'Permission denied' in match[6] else ''}"
    advice = remedy(match[6])
    path, line, column = match[1], int(match[2] or match[4]), int(match[3] or match[5] or 1)
    if (name := os.path.normpath(path)) in originals:
        return Problem(originals[name], line, column, message, advice)
    if (at := Path(os.path.realpath(folder / path))).is_relative_to(os.path.realpath(folder)):
        return Problem(str(source), 0, 0, message, advice)  # in a header that was written for this run
    return Problem(path if os.path.isabs(path) else str(at), line, column, message, advice)
