"""What `--compile` does first: the sources whose kernels have no counts are compiled, several at a time if asked to."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from occupancy_lsp.cli.commands.sources import Found, Projects
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import Passing
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.session.compilations import MOST_UNITS, Compilation, missing_counts, units_of
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from occupancy_lsp.workspace.walk import is_unit


def add_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--compile",
        action="store_true",
        help="first compile the sources whose kernels have no counts, with a compiler on this machine",
    )


def compile_missing(found: Iterable[Found | Problem], projects: Projects, jobs: int) -> list[Problem]:
    """Gives the projects what compilers say; returns what failed, each costing its own file alone. Failed: no such
    device. `jobs`: compilers at a time.

    A header's kernels are looked for in one source after the other, until all have counts.
    """
    files = [it for it in found if isinstance(it, Found)]
    tried: set[tuple[Path, str]] = set()
    problems: list[Problem] = []
    for turn in range(1 + MOST_UNITS):
        wanted: dict[tuple[Path, Path], list[Compilation]] = {}
        lacking = []
        for it in files:
            wishes = _wishes(it, projects.at(it.root), turn)
            lacking += [it] if wishes or not turn else []
            for wish in wishes:
                if (key := (wish.source, wish.device.arch.id)) not in tried:
                    tried.add(key)
                    wanted.setdefault((it.root, wish.source), []).append(wish)
        made: dict[Path, list[tuple[Path, Reading]]] = {}
        for root, source, reading in _run(wanted, jobs):
            made.setdefault(root, []).append((source, reading))
            problems += reading.problems
        for root, readings in made.items():
            projects.take_compiled(root, readings)
        files = [it for it in lacking if not is_unit(it.path)]
    return problems


def _wishes(found: Found, project: Project, turn: int) -> list[Compilation]:
    """First what a source itself needs, then for a header what one source after the other may have."""
    if turn == 0 and not is_unit(found.path):
        return []
    sources = (found.path,) if turn == 0 else units_of(found.path, project)[turn - 1 : turn]
    view = _view(found, project) if sources else None
    return missing_counts(view, project, sources[0]) if view else []


def _view(found: Found, project: Project) -> View | None:
    """None: there is nothing to compile. What is wrong with the file, the command itself says."""
    source = found.read()
    if isinstance(source, Problem):
        return None
    view = attempt(lambda: OpenFile(source.path, "", Text(source.content), project).view())
    return None if isinstance(view, Defect) or view is None or not view.facts.kernels else view


def _run(wanted: Mapping[tuple[Path, Path], Sequence[Compilation]], jobs: int) -> Iterator[tuple[Path, Path, Reading]]:
    shown, stop = Passing(), threading.Event()
    done = 0

    def compile_all(wishes: Sequence[Compilation]) -> list[Reading]:
        def report(step: str) -> None:
            shown.show(f"{done} of {len(wanted)} files, {wishes[0].source.name}: {step}")

        return [it.run(stop.is_set, report) for it in wishes]

    with ThreadPoolExecutor(jobs) as pool:
        try:
            for (root, source), readings in zip(wanted, pool.map(compile_all, wanted.values()), strict=True):
                done += 1
                yield from ((root, source, it) for it in readings)
        finally:
            stop.set()
            shown.show("")
