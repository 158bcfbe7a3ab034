"""What a format is, and places as people count lines and columns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol, TextIO, runtime_checkable

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import Part
from occupancy_lsp.core.text import Text
from occupancy_lsp.findings.comparing import Comparison
from occupancy_lsp.findings.records import FileRecord

Line = tuple[Part, ...]


def place(text: Text, offset: int) -> tuple[int, int]:
    """Line and column, from 1; columns are characters."""
    line, column = text.position(offset, "utf-32")
    return line + 1, column + 1


def nearby(text: str) -> str:
    """A text with the paths below the current folder cut short."""
    return text.replace(os.getcwd() + os.sep, "")


@dataclass(frozen=True, slots=True)
class About:
    """What a format may want to know of the run. `top`: the folder that programs take paths to be relative to.

    `hints`, `table`, `coloured`, `quiet`, `statistics`: of text. `matrix`: findings are for several devices, and say
    for which. `quiet`: no totals. `statistics`: how often each rule found something, in place of what.
    """

    top: Path
    hints: bool = False
    table: bool = False
    coloured: bool = False
    matrix: bool = False
    quiet: bool = False
    statistics: bool = False

    def relative(self, path: Path) -> str:
        """With slashes; in full where it is not below `top`."""
        return path.relative_to(self.top).as_posix() if path.is_relative_to(self.top) else path.as_posix()


class Format(Protocol):
    """Is told of one file after the other, in their order. `tells_problems`: faults are part of what it prints."""

    tells_problems: bool

    def file(self, record: FileRecord) -> Iterable[Line]:
        """What is to be printed of it at once."""

    def end(self, problems: Sequence[Problem], interrupted: bool, out: TextIO) -> None:
        """Prints what comes after all files, or `interrupted` after those that are done."""


@runtime_checkable
class Compares(Protocol):
    """A format that tells what became of each kernel since an earlier time."""

    def compared(self, comparison: Comparison) -> None: ...


BROKEN = "an internal error"  # why a file was skipped
