"""`bounds`: a kernel compiled with other launch bounds, step by step, and what each makes of its occupancy."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator

from occupancy_lsp.cli.commands.kernel_argument import file_and_kernel, named
from occupancy_lsp.cli.commands.sources import Projects, SourceFile, sources
from occupancy_lsp.cli.formats.ladders import as_json, as_text
from occupancy_lsp.core.job import Cancelled
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import Passing, complain, say, say_json
from occupancy_lsp.edits.ladder.rows import Ladder
from occupancy_lsp.edits.resize.launched import Refused
from occupancy_lsp.features.actions import edit_context
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.trials import Trial, trial
from occupancy_lsp.session.view import View


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="+", metavar="FILE[:KERNEL]", help="a source file, one kernel in it, or a folder"
    )
    parser.add_argument("--device", metavar="D", help="a device or architecture")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(options: argparse.Namespace) -> int:
    """Exit status 2: a kernel could not be tried, or a file that is named has none."""
    projects = Projects([options.device] if options.device else [])
    told: list[dict[str, object]] = []
    problems: list[Problem] = []
    for path, name in map(file_and_kernel, options.paths):
        for source in sources([path]):
            if isinstance(source, Problem):
                problems.append(source)
                continue
            for found in tried(source, projects.at(source.root), name, is_folder=os.path.isdir(path)):
                if isinstance(found, Problem):
                    problems.append(found)
                elif options.format == "json":
                    told.append(as_json(source.shown, *found))
                else:
                    for line in as_text(source.shown, *found):
                        say(line)
    if options.format == "json":
        say_json({"kernels": told, "problems": [str(it) for it in problems]}, indent=1)
    for problem in problems:
        complain(problem)
    return 2 if any(it.grave for it in problems) else 0


def tried(
    source: SourceFile,
    project: Project,
    name: str,
    is_folder: bool = False,
    cancelled: Cancelled = lambda: False,
    tell: Callable[[str], None] | None = None,
) -> Iterator[tuple[Ladder, Trial] | Problem]:
    """`is_folder`: the source was come by in one, where files without kernels are passed over.

    `tell`: who is told what is compiled; None: whoever waits at a terminal.
    """
    found = named(source, project, name)
    if isinstance(found, Problem):
        if not is_folder:
            yield found
        return
    view, indices = found
    for index in indices:
        kernel = view.reports[index].kernel
        line, column = view.text.position(view.span(kernel.name_place)[0], "utf-32")
        made = _compiled(view, project, index, cancelled, tell or Passing().show)
        why = made.reason if isinstance(made, Refused) else made.why
        if why:
            yield Problem(source.shown, line + 1, column + 1, f"{kernel.qualified}: {why}")
        if not isinstance(made, Refused) and made.ladder is not None:
            yield made.ladder, made


def _compiled(
    view: View, project: Project, index: int, cancelled: Cancelled, tell: Callable[[str], None]
) -> Trial | Refused:
    made = trial(view, project, index, edit_context(view, {}))
    if isinstance(made, Trial):
        for wanted in made:
            made.take(wanted.run(cancelled, tell))
        tell("")
    return made
