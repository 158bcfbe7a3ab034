"""`python -m benchmarks [--quick]`: every figure, one table after the other."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Table
from benchmarks.generate import workspace
from benchmarks.keystrokes import keystrokes

_SIZES = (200, 2_000, 20_000)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a first look, in about a minute")
    parser.add_argument("--only", metavar="TEXT", default="", help="only the groups whose name holds this")
    options = parser.parse_args()
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="occupancy-bench-") as folder:
        for table in _tables(Path(folder), options.quick, options.only):
            print(f"\n{table}", flush=True)
    print(f"\nin {time.perf_counter() - began:.0f} s")
    return 0


def _tables(folder: Path, quick: bool, only: str) -> Iterator[Table]:
    files = workspace(folder, _SIZES)
    yield from keystrokes(folder, files, 1 if quick else 3)


if __name__ == "__main__":
    sys.exit(main())
