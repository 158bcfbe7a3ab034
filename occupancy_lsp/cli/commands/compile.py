"""`compile`: what a compiler on this machine says that the kernels of files use. Saves nothing but caches."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from occupancy_lsp.cli.commands.sources import Projects, SourceFile, sources
from occupancy_lsp.cli.formats.internal_errors import InternalErrors
from occupancy_lsp.cli.formats.usages import as_json, as_text
from occupancy_lsp.compile.errors import took_too_long
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.files import read_bytes
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import GrowingJson, complain, say
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.names import same_kernel
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.model.device import Device
from occupancy_lsp.session.compilations import (
    PATIENCE,
    Compilation,
    compilation,
    in_turn,
    one_of_each,
    sources_with,
    units_of,
)
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from occupancy_lsp.source.incremental.kernel_text import FileFacts
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.workspace.walk import MAX_BYTES, UNITS, is_unit

_ALL_UNITS = 5 * PATIENCE  # seconds for all sources that include a header


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a source file, or a folder to search")
    parser.add_argument(
        "--device", action="append", default=[], metavar="D", help="a device or architecture; may be repeated"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(options: argparse.Namespace) -> int:
    """Exit status 2: a file was not compiled."""
    projects, internal = Projects(options.device), InternalErrors()
    compiled = GrowingJson("kernels")
    problems: list[Problem] = []
    for found in sources(options.paths):
        if isinstance(found, Problem):
            problems.append(found)
        elif found.path.suffix in UNITS or found.shown in options.paths:
            with internal.looking_at(found.shown):
                named = found.shown in options.paths
                made = attempt(partial(_compile, found, projects.at(found.root), bool(options.device), named))
            each = iter(()) if isinstance(made, Defect) else made
            while not isinstance(it := attempt(partial(next, each, None)), Defect) and it is not None:
                device, reading = it
                problems += reading.problems
                if options.format == "json":
                    compiled.add(*as_json(found.shown, device, reading))
                else:
                    for line in as_text(found.shown, device, reading):
                        say(line)
                    sys.stdout.flush()
    problems += internal.problems()
    if options.format == "json":
        compiled.end(problems=[str(it) for it in problems])
    for problem in problems:
        complain(problem)
    return 2 if any(it.grave for it in problems) else 0


def _compile(source: SourceFile, project: Project, every: bool, named: bool) -> Iterator[tuple[Device, Reading]]:
    """On each of the devices that were chosen, or on the one that the settings choose; as it comes.

    `named`: the file was, so that its kernels may stand in what it includes.
    """
    dialect = project.dialect(source.path, "", source.content)
    if dialect is None or not (named or any(word in source.content for word in dialect.telling)):
        return
    devices = one_of_each(project.devices_for(dialect.name), dialect.name)
    view = OpenFile(source.path, "", Text(source.content), project).view()
    facts = view.facts if view is not None else None
    for device in devices if every else devices[:1]:
        own = compilation(source.path, dialect, device, project, facts)
        kernels = list(dict.fromkeys(it.qualified for it in facts.kernels)) if facts is not None else []
        yield from ((device, it) for it in _told(own, dialect, project, kernels))


def _told(own: Compilation, dialect: Dialect, project: Project, kernels: Sequence[str]) -> Iterator[Reading]:
    """Of a header, or of a file that tells nothing by itself, what sources do that include it; of one that takes too
    long, a few kernels at a time."""
    units = units_of(own.source, project) if not is_unit(own.source) else ()
    if units and units != (own.source,):
        yield from _in_units((*units, own.source), own, dialect, project, kernels)
        return
    told = _run(replace(own, seconds=PATIENCE) if len(kernels) > 1 else own)
    if len(kernels) > 1 and took_too_long(told.problems):
        left = {it for it in kernels if not _of([it], told).usages}
        yield replace(told, problems=())
        for it in in_turn(own, [it for it in kernels if it in left], left.__contains__):
            reading = _run(it)
            left -= it.only if reading.usages else set()
            yield reading
        if left:
            yield _of(left, _run(own))
    elif told.usages or not is_unit(own.source):
        yield told
    else:
        found = _in_units(sources_with(own.source, project)[1:], own, dialect, project, kernels)
        first = next(found, told)
        yield first if first.usages else told
        yield from found


def _in_units(
    units: Sequence[Path], own: Compilation, dialect: Dialect, project: Project, kernels: Sequence[str]
) -> Iterator[Reading]:
    """What one source after the other tells of kernels that are defined in what these include, until all are told of;
    if none tells of any, why the first does not."""
    left, seen, failed = {*kernels}, set[str](), list[Reading]()
    until = time.monotonic() + _ALL_UNITS
    for unit in units if kernels else ():
        made = compilation(unit, dialect, own.device, project, _facts(unit, project), own.source)
        told = _of(kernels, _run(replace(made, seconds=max(until - time.monotonic(), 0.0))))
        new = tuple(it for it in told.usages if it.kernel not in seen)
        left -= {name for name in left if _of([name], told).usages}
        seen |= {it.kernel for it in new}
        if new:
            yield replace(told, usages=new, problems=())
        elif not told.usages:
            failed.append(told)
        if not left or time.monotonic() > until:
            break
    if not seen:
        yield from failed[:1]


def _facts(source: Path, project: Project) -> FileFacts | None:
    content = read_bytes(source, MAX_BYTES)
    view = OpenFile(source, "", Text(content), project).view() if content is not None else None
    return view.facts if view is not None else None


def _of(kernels: Collection[str], reading: Reading) -> Reading:
    usages = tuple(it for it in reading.usages if any(same_kernel(it.kernel, name) for name in kernels))
    return replace(reading, usages=usages)


def _run(it: Compilation) -> Reading:
    return it.run(lambda: False, lambda step: None)
