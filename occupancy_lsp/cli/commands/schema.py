"""`schema`: the JSON schema of what a command prints or writes."""

from __future__ import annotations

import argparse
from pathlib import Path

import occupancy_lsp
from occupancy_lsp.core.terminal import say_lines

_FOLDER = Path(occupancy_lsp.__file__).parent / "schemas"
NAMES = ("baseline", "bounds", "calc", "check", "compile", "kernels")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("output", choices=NAMES, help="whose output: a command, or the baseline that `check` writes")


def run(options: argparse.Namespace) -> int:
    say_lines((_FOLDER / f"{options.output}.json").read_text("utf-8"))
    return 0
