"""What a compiler says of a failure → its own first error, with its place in the source."""

from __future__ import annotations

import os
import re
from pathlib import Path

from occupancy_lsp.compile.job import Done
from occupancy_lsp.compile.remedies import remedy
from occupancy_lsp.core.problem import Problem

_MOST = 300
_MOST_LINES, _MOST_LINE = 2_000, 2_000
# `a.cu(3): error: …` of nvcc; `a.cu:3:5: fatal error: …` of gcc and clang; `a.cu(3,5): …` of cl.
_PLACED = re.compile(
    r"^(.+?)(?:\((\d+)(?:,(\d+))?\)|:(\d+)(?::(\d+))?) ?: (?:fatal |catastrophic )?error[^:\n]*: (.+)$", re.M
)
# `nvcc fatal   : …`, `ptxas x.ptx, line 33; error   : …`, `clang: error: …`
_PLAIN = re.compile(r"^(?:.*?\b(?:fatal|error)(?: error)?\s*:) *(.+)$", re.MULTILINE)
_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
_DENIED = "; a compiler may read the workspace and the folders that its arguments name"
_STOPPED = {
    "cancelled": "cancelled",
    "timeout": "it took too long and was ended",
    "output": "it said too much and was ended",
}


def changed(source: Path) -> Problem:
    """What was compiled may be neither the old text nor the new: it must not be kept under the key of either."""
    return Problem(str(source), 0, 0, "not compiled: it changed meanwhile")


def failure(done: Done, tool: str, source: Path, folder: Path) -> Problem:
    """Of a run that did not go well; `folder`: where it ran."""
    if done.stopped:
        return Problem(str(source), 0, 0, f"not compiled: {tool}: {_STOPPED[done.stopped]}")
    lines = _COLOUR.sub("", done.output).split("\n", _MOST_LINES)[:_MOST_LINES]
    text = "\n".join(line[:_MOST_LINE] for line in lines)
    placed, plain = _PLACED.search(text), _PLAIN.search(text)
    if placed and (plain is None or placed.start() <= plain.start()):
        message = f"not compiled: {tool}: {placed[6][:_MOST]}{_DENIED if 'Permission denied' in placed[6] else ''}"
        advice = remedy(placed[6])
        path, line, column = placed[1], int(placed[2] or placed[4]), int(placed[3] or placed[5] or 1)
        if (at := Path(os.path.realpath(folder / path))).is_relative_to(os.path.realpath(folder)):
            return Problem(str(source), 0, 0, message, advice)  # in a header that was written for this run
        return Problem(path if os.path.isabs(path) else str(at), line, column, message, advice)
    said = plain[1] if plain else next((it.strip() for it in text.splitlines() if it.strip()), "")
    said = said[:_MOST] or f"it ended with status {done.status}"
    return Problem(str(source), 0, 0, f"not compiled: {tool}: {said}", remedy(said))
