"""`python -m benchmarks [--quick]`: every figure, one table after the other.

`--real`: those of production files; `--kept`: the memory that keys in one of them leave, and many that are closed.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.closing import closing
from benchmarks.cold_start import cold_start
from benchmarks.command_line import calc, check
from benchmarks.delays import delays
from benchmarks.elsewhere import elsewhere
from benchmarks.figures import Table
from benchmarks.generate import sources, workspace
from benchmarks.imports import imports
from benchmarks.index_speed import index_speed
from benchmarks.keeping import files_kept, keys_kept
from benchmarks.keystrokes import keystrokes
from benchmarks.memory import memory
from benchmarks.panel import panel
from benchmarks.python_keys import python_keys
from benchmarks.real import real
from benchmarks.typing_while_indexing import typing_while_indexing

_SIZES = (200, 2_000, 20_000)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a first look")
    parser.add_argument("--only", metavar="GROUP", choices=(*_GROUPS,), help=", ".join(_GROUPS))
    parser.add_argument("--real", metavar="CHECKOUT", nargs="+", type=Path, help="keys in production files of these")
    parser.add_argument(
        "--kept",
        metavar=("CHECKOUT", "FILE"),
        nargs=2,
        type=Path,
        help="memory in production files; FILE as below CHECKOUT",
    )
    options = parser.parse_args()
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    began = time.perf_counter()
    if options.real:
        for table in real([it.absolute() for it in options.real], options.quick):
            print(f"\n{table}", flush=True)
        return 0
    if options.kept:
        checkout = options.kept[0].absolute()
        for table in _kept(checkout, checkout / options.kept[1], options.quick):
            print(f"\n{table}", flush=True)
        return 0
    for name, group in _GROUPS.items():
        if options.only in (None, name):
            with tempfile.TemporaryDirectory(prefix="occupancy-bench-") as folder:
                for table in group(Path(folder), options.quick):
                    print(f"\n{table}", flush=True)
    print(f"\nin {time.perf_counter() - began:.0f} s")
    return 0


def _keys(folder: Path, quick: bool) -> Iterator[Table]:
    yield from keystrokes(folder, workspace(folder, _SIZES), 1 if quick else 3)


def _delays(folder: Path, quick: bool) -> Iterator[Table]:
    yield from delays(folder, workspace(folder, (2_000,))[2_000], 2 if quick else 5)


def _panel(folder: Path, quick: bool) -> Iterator[Table]:
    yield from panel(folder, workspace(folder, (2_000,))[2_000])


def _python(folder: Path, quick: bool) -> Iterator[Table]:
    yield from python_keys(folder, 8 if quick else 24)


def _start(folder: Path, quick: bool) -> Iterator[Table]:
    yield from cold_start(folder, workspace(folder, (200,))[200], 4 if quick else 12)


def _imports(folder: Path, quick: bool) -> Iterator[Table]:
    yield from imports(folder, workspace(folder, (200,))[200])


def _memory(folder: Path, quick: bool) -> Iterator[Table]:
    yield from memory(folder, workspace(folder, (2_000,))[2_000], 1 if quick else 3)


def _check(folder: Path, quick: bool) -> Iterator[Table]:
    yield from check(folder, 5 if quick else 20, 1 if quick else 3)


def _calc(folder: Path, quick: bool) -> Iterator[Table]:
    yield from calc(1 if quick else 3)


def _index(folder: Path, quick: bool) -> Iterator[Table]:
    yield from index_speed(folder, 5 if quick else 20, 1 if quick else 3)


def _workspace(folder: Path, quick: bool) -> Iterator[Table]:
    yield from typing_while_indexing(folder, 1 if quick else 3)


def _keeping(folder: Path, quick: bool) -> Iterator[Table]:
    yield from keys_kept(None, workspace(folder, (600,))[600], 1_000 if quick else 10_000)
    root = folder / "files"
    root.mkdir()
    sources(root, 20 if quick else 200, 600)
    yield from files_kept(root, 20 if quick else 200)


def _kept(root: Path, file: Path, quick: bool) -> Iterator[Table]:
    yield from closing(root, 20 if quick else 200)
    yield from keys_kept(root, file, 1_000 if quick else 10_000)


def _elsewhere(folder: Path, quick: bool) -> Iterator[Table]:
    yield from elsewhere(folder, 5_000 if quick else 50_000, 5)


_GROUPS: dict[str, Callable[[Path, bool], Iterator[Table]]] = {
    "keys": _keys,
    "delays": _delays,
    "panel": _panel,
    "python": _python,
    "start": _start,
    "imports": _imports,
    "memory": _memory,
    "keeping": _keeping,
    "elsewhere": _elsewhere,
    "check": _check,
    "calc": _calc,
    "index": _index,
    "workspace": _workspace,
}

if __name__ == "__main__":
    sys.exit(main())
