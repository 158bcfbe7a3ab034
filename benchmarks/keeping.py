"""Memory that stays: after thousands of keys in one file, and after many files were opened and closed."""

from __future__ import annotations

import gc
import random
import re
from collections.abc import Iterator
from pathlib import Path

import psutil

from benchmarks.figures import Table, at_most, mib
from occupancy_lsp.core.memory import give_back, give_back_early
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile

_SEED = 3
_ENDS = re.compile(rb";\n")
_WARM = 500  # keys before the first look: what they fill has its bounds


def keys_kept(root: Path | None, path: Path, keys: int) -> Iterator[Table]:
    """No key types what was typed before."""
    gc.set_threshold(20_000, 100, 100)  # as the server does
    give_back_early()
    project = Project(root)
    if root is not None:
        project.read_sources(lambda: False, lambda done, of: None)
    document = OpenFile(path, "", Text(path.read_bytes()), project)
    _look(document)
    project.work(lambda: False)
    _look(document)
    ends = [it.end() for it in _ENDS.finditer(document.text.content)]
    rng = random.Random(_SEED)
    done, before = 0, 0
    while done < _WARM + keys:
        if done >= _WARM and not before:
            before = _memory()
        at, text = rng.choice(ends), f"int q{rng.randrange(10**6)}={rng.randrange(10**6)};".encode()
        for i in range(len(text)):
            document.edit(at + i, at + i, text[i : i + 1])
            _look(document)
        for i in reversed(range(len(text))):
            document.edit(at + i, at + i + 1, b"")
            _look(document)
        done += 2 * len(text)
    more = _memory() - before
    yield Table(
        "memory that keys leave",
        ("before", "more"),
        ((f"{keys:,} keys in {path.name}", mib(before), mib(more)),),
        (at_most("more", more / 2**20 * 10_000 / keys, 10, " MiB in 10,000 keys"),),
    )


def files_kept(folder: Path, files: int) -> Iterator[Table]:
    """All are opened, then all are closed; the second time, as what the first fills has its bounds."""
    project = Project(folder)
    project.read_sources(lambda: False, lambda done, of: None)
    paths = sorted(map(str, folder.glob("*.cu")))[:files]
    _open(project, paths[:10])
    before = _memory()
    opened = _open(project, paths)
    after = _memory()
    opened_files = len(opened)
    del opened
    project.rest()
    give_back()
    closed = _memory()
    yield Table(
        "memory of files",
        ("before", "all open", "all closed"),
        ((f"{opened_files} files", mib(before), mib(after), mib(closed)),),
        (at_most("all closed, beside before", closed / before, 1.2, "×"),),
    )


def _open(project: Project, paths: list[str]) -> list[OpenFile]:
    opened = [OpenFile(Path(it), "cuda", Text(Path(it).read_bytes()), project) for it in paths]
    for document in opened:
        _look(document)
    project.work(lambda: False)
    for document in opened:
        _look(document)
    return opened


def _look(document: OpenFile) -> None:
    view = document.view()
    if view is not None:
        hints(view, 0, len(document.text.content))
        diagnostics(view)


def _memory() -> int:
    gc.collect()
    resident: int = psutil.Process().memory_info().rss
    return resident
