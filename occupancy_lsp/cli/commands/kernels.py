"""`kernels`: what the source proves of each kernel, and of what is not known why and where."""

from __future__ import annotations

import argparse
from functools import partial

from occupancy_lsp.cli.commands import compiling
from occupancy_lsp.cli.commands.check import add_paths
from occupancy_lsp.cli.commands.sources import Projects, SourceFile, found, sources
from occupancy_lsp.cli.formats.internal_errors import InternalErrors
from occupancy_lsp.cli.formats.kernel_facts import Facts, kernel_facts
from occupancy_lsp.cli.formats.kernel_text import kernel_text
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import complain, say, say_json
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import too_large

_LAUNCHES = (b"<<<", b"Launch")  # a file with none of these and no kernel has nothing to say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_paths(parser)
    parser.add_argument("--format", choices=("text", "jsonl"), default="text", help="jsonl: an object per kernel")
    parser.add_argument(
        "--device",
        action="append",
        default=[],
        metavar="D",
        help="evaluate #ifs for this device; may be repeated: the first that runs a file's language is used",
    )
    compiling.add_argument(parser)


def run(options: argparse.Namespace) -> int:
    status = 0
    projects, internal = Projects(options.device), InternalErrors()
    failed = compiling.compile_missing(found(options.paths), projects, 1) if options.compile else []
    for source in sources(options.paths):
        if isinstance(source, Problem):
            complain(source)
            status = 2 if source.grave else status
            continue
        with internal.looking_at(source.shown):
            told = attempt(partial(facts_of, source, projects.at(source.root), options.compile))
        for facts in () if isinstance(told, Defect) else told:
            if options.format == "jsonl":
                say_json(facts)
            elif facts["name"] is not None:
                for line in (*kernel_text(facts), ""):
                    say(line)
    for problem in failed:
        complain(problem)
    for problem in internal.problems():
        complain(problem)
        status = 2
    return status


def facts_of(source: SourceFile, project: Project, compiled: bool = False) -> list[Facts]:
    """`compiled`: with what compilers said of them."""
    if why_not := too_large(source.content):
        complain(f"{source.shown}: not read: {why_not}")
        return []
    dialect = project.dialect(source.path, "", source.content)
    words = (*dialect.telling, *dialect.annotations.makers, *_LAUNCHES) if dialect is not None else ()
    if dialect is not None and any(word in source.content for word in words):
        devices = project.devices_for(dialect.name)
        device = devices[0] if devices else None
        return list(kernel_facts(source.shown, source.path, source.content, dialect, project, device, compiled))
    return []
