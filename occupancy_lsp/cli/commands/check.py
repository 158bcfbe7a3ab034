"""`check`: the findings of files and folders, and with `--hints` the occupancy drawn into the source."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from functools import partial
from pathlib import Path

from occupancy_lsp.cli.commands.sources import Projects, SourceFile, is_passed_over, sources
from occupancy_lsp.cli.formats.as_json import JsonReport
from occupancy_lsp.cli.formats.as_text import TextReport
from occupancy_lsp.cli.formats.internal_errors import InternalErrors
from occupancy_lsp.cli.formats.result import BROKEN, SEVERITIES, Checked
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import say
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import MAX_BYTES, OpenFile
from occupancy_lsp.settings import FILE_NAME


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a source, or a folder to look through")
    parser.add_argument(
        "--device", action="append", default=[], metavar="D", help="a device or architecture; may be given repeatedly"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--hints", action="store_true", help="draw each kernel's occupancy into its source line (text)")
    parser.add_argument(
        "--fail-on",
        choices=(*SEVERITIES, "never"),
        default="warning",
        help="the least severity that makes the exit status 1 (default: warning)",
    )


def run(options: argparse.Namespace) -> int:
    projects = Projects(options.device)
    report = JsonReport() if options.format == "json" else TextReport(options.hints, sys.stdout.isatty())
    internal = InternalErrors()
    unread: list[Problem] = []
    counts: Counter[str] = Counter()
    looked_at: set[Path] = set()
    for found in sources(options.paths):
        if isinstance(found, Problem):
            unread.append(found)
            continue
        with internal.looking_at(found.shown):
            project = projects.at(found.root)
            checked = attempt(partial(check, found, project, found.shown in options.paths))
            if checked is None:
                continue
            looked_at.add(found.path)
            if isinstance(checked, Defect) or isinstance(said := attempt(partial(report.add, checked)), Defect):
                checked = Checked(found.shown, None, BROKEN)
                said = report.add(checked)
        counts.update(finding.severity for finding in checked.findings)
        for line in said:
            say(*line)
    told = [problem for project in projects.all() for problem in project.problems_near(looked_at)]
    broken = internal.problems()
    for line in report.end([*told, *unread, *broken]):
        say(*line)
    if unread or broken or any(_of_settings(problem) for problem in told):
        return 2
    fatal = SEVERITIES[SEVERITIES.index(options.fail_on) :] if options.fail_on != "never" else ()
    return 1 if any(counts[severity] for severity in fatal) else 0


def check(source: SourceFile, project: Project, named: bool) -> Checked | None:
    """None: there is nothing to say of it. `named`: by the user, not come by in a folder."""
    if not named and is_passed_over(source, project):
        return None
    if len(source.content) > MAX_BYTES:
        return Checked(source.shown, None, "larger than 2 MB")
    view = OpenFile(source.path, "", Text(source.content), project).view()
    if view is None:
        return Checked(source.shown, None, "generated, or without kernels")
    return Checked(source.shown, view, "", hints(view, 0, len(source.content)), diagnostics(view))


def _of_settings(problem: Problem) -> bool:
    """With wrong settings the findings are not those that were asked for; with a wrong sidecar they are fewer."""
    return problem.path == "command line" or Path(problem.path).name == FILE_NAME
