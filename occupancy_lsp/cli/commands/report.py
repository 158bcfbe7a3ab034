"""`report`: the occupancy of all kernels on one or several devices, as a page that stands alone."""

from __future__ import annotations

import argparse
import os
from contextlib import closing
from pathlib import Path

from occupancy_lsp.cli.commands import compiling
from occupancy_lsp.cli.commands.check import add_devices, add_jobs, add_paths, chosen_devices, of_settings
from occupancy_lsp.cli.commands.gating import IdleDevices
from occupancy_lsp.cli.commands.outputs import Outputs
from occupancy_lsp.cli.commands.remembering import answers
from occupancy_lsp.cli.commands.sources import Projects, found
from occupancy_lsp.cli.commands.task import Task
from occupancy_lsp.cli.commands.watching import Watch
from occupancy_lsp.cli.commands.workspace import checkout_here, folders_of
from occupancy_lsp.cli.formats.as_html import AsHtml
from occupancy_lsp.cli.formats.as_text import AsTotals
from occupancy_lsp.cli.formats.result import About
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import complain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_paths(parser)
    parser.add_argument("--html", required=True, metavar="FILE", help="where to write the page")
    add_devices(parser)
    add_jobs(parser)
    compiling.add_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Without a device, on all that the settings choose. What is found does not make it fail."""
    devices, matrix = chosen_devices(options), not options.device
    about = About(checkout_here(), matrix=matrix)
    page = Path(os.path.abspath(options.html)), AsHtml(about)
    out = Outputs(AsTotals(about), (page,), folders_of(options.paths))
    files = list(found(options.paths))
    watch = Watch(files)
    projects = Projects(devices, tell=watch.reading)
    problems: dict[Problem, None] = {}
    undone, idle = False, IdleDevices()
    try:
        failed = compiling.compile_missing(files, projects, options.jobs or 1) if options.compile else []
        problems |= dict.fromkeys(failed)
        task = Task(devices, frozenset(options.paths), projects.compiled, matrix=matrix, charts=True)
        with closing(answers(task, files, options.jobs, watch, projects)) as coming:
            for answer in coming:
                problems |= dict.fromkeys((*answer.near, *answer.unread, *answer.broken))
                undone = undone or bool(answer.broken) or any(it.grave for it in answer.unread)
                undone = undone or any(map(of_settings, answer.near))
                if answer.record:
                    out.file(answer.record)
                    idle.count(answer.record)
    finally:
        watch.clear()
    for said in idle.told():
        complain(said)
    return 0 if out.end(list(problems), interrupted=False) and not undone else 2
