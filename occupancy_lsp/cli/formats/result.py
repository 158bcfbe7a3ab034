"""What a check found in one file, and where that stands as people count lines and columns."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.answers import Diagnostic, Hint, Severity
from occupancy_lsp.session.view import View

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


BROKEN = "an internal error"  # why a file was skipped
