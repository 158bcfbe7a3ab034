"""`python -m benchmarks.index_speed DIR`: the workspace's index beside a bare parse of the same files.

All read the files anew, from the memory of the system; the cache is in a folder of its own.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from unittest.mock import patch

import tree_sitter_cuda
from tree_sitter import Language, Parser

from benchmarks.figures import Table, at_least, ratio
from benchmarks.generate import sources
from occupancy_lsp.workspace.index import Index

_FILE_LINES = 2_000


def index_speed(folder: Path, files: int, rounds: int) -> Iterator[Table]:
    root = folder / "workspace"
    root.mkdir()
    sources(root, files, _FILE_LINES)
    yield from beside_bare_parse(root, rounds)


def beside_bare_parse(root: Path, rounds: int) -> Iterator[Table]:
    seen: dict[str, list[float]] = {"bare tree-sitter parse": [], "index, nothing cached": [], "index, all cached": []}
    bare, cold, warm = seen.values()
    index = _built(root)
    paths = index.paths()
    lines = sum(entry.lines for path in paths if (entry := index.entry(path)))
    for _ in range(rounds):
        bare.append(_seconds(lambda: _parse(paths)))
        with tempfile.TemporaryDirectory(prefix="occupancy-bench-") as caches, _caching_in(caches):
            cold.append(_seconds(lambda: _built(root)))
            warm.append(_seconds(lambda: _built(root)))
    rows = [
        (name, f"{lines / statistics.median(times):,.0f}", f"{ratio(bare, times):.2f}×") for name, times in seen.items()
    ]
    verdict = at_least("cold index beside bare parse", ratio(bare, cold), 1 / 3, "×")
    yield Table(f"{len(paths):,} files of {lines:,} lines", ("lines/s", "beside bare"), tuple(rows), (verdict,))


def _built(root: Path) -> Index:
    index = Index(root)
    index.build(lambda: False, lambda done, total: None)
    return index


def _parse(paths: tuple[Path, ...]) -> None:
    parser = Parser(Language(tree_sitter_cuda.language()))
    for path in paths:
        parser.parse(path.read_bytes())


def _caching_in(folder: str) -> AbstractContextManager[object]:
    return patch.dict(os.environ, XDG_CACHE_HOME=folder, LOCALAPPDATA=folder, HOME=folder)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    for table in beside_bare_parse(Path(sys.argv[1]), rounds=1):
        print(table)
