"""`check`: the findings of files and folders, and with `--hints` the occupancy drawn into the source."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from occupancy_lsp.cli.commands import compiling
from occupancy_lsp.cli.commands.checking import Task, answers
from occupancy_lsp.cli.commands.sources import Projects, found
from occupancy_lsp.cli.formats.as_json import AsJson
from occupancy_lsp.cli.formats.as_text import AsText
from occupancy_lsp.cli.formats.result import SEVERITIES, Format, Told
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import say
from occupancy_lsp.settings import FILE_NAME


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a source file, or a folder to search")
    parser.add_argument(
        "--device", action="append", default=[], metavar="D", help="a device or architecture; may be repeated"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--hints", action="store_true", help="show each kernel's occupancy in its source line (text)")
    parser.add_argument(
        "--fail-on",
        choices=(*SEVERITIES, "never"),
        default="warning",
        help="the lowest severity that makes the exit status 1 (default: warning)",
    )
    parser.add_argument(
        "--jobs",
        type=_jobs,
        metavar="N",
        help="check in up to N processes (default: one for each core), and compile with up to N (default: one)",
    )
    compiling.add_argument(parser)


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a number of processes from 1 on, not {text[:20]!r}")
    return int(text)


def run(options: argparse.Namespace) -> int:
    form: Format = (
        AsJson()
        if options.format == "json"
        else AsText(options.hints, sys.stdout.isatty() and not os.environ.get("NO_COLOR"))
    )
    files, projects = list(found(options.paths)), Projects(options.device)
    failed = compiling.compile_missing(files, projects, options.jobs or 1) if options.compile else []
    task = Task(tuple(options.device), form, frozenset(options.paths), projects.compiled)
    told: list[Told] = []
    near, unread, broken = dict.fromkeys(failed), dict[Problem, None](), dict[Problem, None]()
    for answer in answers(task, files, options.jobs, projects):
        for line in answer.told.lines if answer.told else ():
            say(*line)
        told += [replace(answer.told, lines=())] if answer.told else []
        for all_, its in ((near, answer.near), (unread, answer.unread), (broken, answer.broken)):
            all_.update(dict.fromkeys(its))
    form.end(told, [*near, *unread, *broken])
    if unread or broken or any(map(_of_settings, near)):
        return 2
    fatal = SEVERITIES[SEVERITIES.index(options.fail_on) :] if options.fail_on != "never" else ()
    return 1 if any(severity in fatal for it in told for severity in it.severities) else 0


def _of_settings(problem: Problem) -> bool:
    """With wrong settings the findings are not those that were asked for; with a wrong sidecar they are fewer."""
    return problem.path == "command line" or Path(problem.path).name == FILE_NAME
