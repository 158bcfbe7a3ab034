"""What a check found in one file, and where that stands as people count lines and columns."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import Part
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.answers import Diagnostic, Hint, Severity
from occupancy_lsp.session.view import View

Line = tuple[Part, ...]
SEVERITIES: tuple[Severity, ...] = ("hint", "information", "warning", "error")


@dataclass(frozen=True, slots=True)
class Checked:
    """`view` None: the file was not looked at, for the reason `skipped`."""

    path: str
    view: View | None
    skipped: str = ""
    hints: Sequence[Hint] = ()
    findings: Sequence[Diagnostic] = ()


def place(text: Text, offset: int) -> tuple[int, int]:
    """Line and column, from 1; columns are characters."""
    line, column = text.position(offset, "utf-32")
    return line + 1, column + 1


def nearby(text: str) -> str:
    """A text with the paths below the current folder cut short."""
    return text.replace(os.getcwd() + os.sep, "")


@dataclass(frozen=True, slots=True)
class Told:
    """What a format has of one file: lines to be printed at once, or an `entry` of what is printed at the end.

    The others are what the end counts.
    """

    lines: tuple[Line, ...] = ()
    entry: Mapping[str, object] = field(default_factory=dict)
    files: int = 0
    kernels: int = 0
    unread: int = 0  # what looks like a kernel
    devices: tuple[str, ...] = ()
    severities: tuple[Severity, ...] = ()


class Format(Protocol):
    """Knows nothing of one file when it tells of the next, so that several processes may each have some."""

    def told(self, checked: Checked) -> Told: ...

    def end(self, told: Sequence[Told], problems: Sequence[Problem], interrupted: bool) -> None:
        """Prints what comes after all files, or `interrupted` after those that are done."""


BROKEN = "an internal error"  # why a file was skipped
