"""Where a check prints to: standard output in one format, and files in others."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

from occupancy_lsp.cli.commands.workspace import folders_of
from occupancy_lsp.cli.formats.registry import FORMATS
from occupancy_lsp.cli.formats.result import About, Compares, Format, Line
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import complain, say
from occupancy_lsp.core.writing import write_named
from occupancy_lsp.findings.comparing import Comparison
from occupancy_lsp.findings.records import FileRecord


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        type=_format,
        choices=tuple(FORMATS),
        default="text",
        help="of standard output (default: text)",
    )
    parser.add_argument(
        "--output",
        action="append",
        default=[],
        type=_to_file,
        metavar="FORMAT:FILE",
        help="also write this format to a file; may be repeated",
    )


def _format(text: str) -> str:
    if text == "html":
        raise argparse.ArgumentTypeError("`occupancy-lsp report --html FILE` writes a page")
    return text


def _to_file(text: str) -> tuple[str, Path]:
    name, colon, file = text.partition(":")
    if name not in FORMATS or not colon or not file:
        raise argparse.ArgumentTypeError(f"write FORMAT:FILE, such as sarif:occupancy.sarif, not {text!r}")
    return name, Path(os.path.abspath(file))


def chosen(options: argparse.Namespace, about: About) -> Outputs:
    plain = replace(about, coloured=False)
    files = [(path, FORMATS[name](plain)) for name, path in options.output]
    return Outputs(FORMATS[options.format](about), files, folders_of(options.paths))


class Outputs:
    """All that a check prints. Files are written when it ends: whole, or not at all. `checked`: the folders."""

    def __init__(self, shown: Format, files: Sequence[tuple[Path, Format]], checked: Sequence[Path]) -> None:
        self._shown = shown
        self._checked = checked
        self._files = [(path, form, StringIO()) for path, form in files]

    def file(self, record: FileRecord) -> Sequence[Line]:
        """What is to be said of it at once on standard output."""
        for _, form, text in self._files:
            for line in form.file(record):
                say(*line, out=text)
        return list(self._shown.file(record))

    def compared(self, comparison: Comparison) -> None:
        """Before the end: what became of each kernel since an earlier time."""
        for form in (self._shown, *(form for _, form, _ in self._files)):
            if isinstance(form, Compares):
                form.compared(comparison)

    def end(self, problems: Sequence[Problem], interrupted: bool) -> bool:
        """Whether all files could be written."""
        self._shown.end(problems, interrupted, sys.stdout)
        if not self._shown.tells_problems:
            for problem in problems:
                complain(problem)
        written = True
        for path, form, text in self._files:
            form.end(problems, interrupted, text)
            written = write_whole(path, text.getvalue(), self._checked) and written
        return written


def write_whole(path: Path, text: str, checked: Sequence[Path]) -> bool:
    """False: it could not be written, which is said. `checked`: the folders, in which no link is followed."""
    if not path.parent.is_dir():
        complain(f"{path}: not written: there is no folder {path.parent}; create it first.")
        return False
    why = write_named(path, text.encode("utf-8", "backslashreplace"), checked)
    if why:
        complain(f"{path}: not written: {why}.")
    return not why
