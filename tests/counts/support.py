"""Real compiler logs, and the rows that were written down from their text (not by the reader under test)."""

from __future__ import annotations

import csv
import tarfile
from functools import cache
from pathlib import Path

_DATA = Path(__file__).parents[1] / "data" / "ptxas"


@cache
def logs() -> dict[str, bytes]:
    """By name, such as `multi/ptxas-v_13.0_sm_90.txt`."""
    with tarfile.open(_DATA / "logs.tar.xz") as archive:
        files = [(member.name, archive.extractfile(member)) for member in archive.getmembers()]
        return {name: stream.read() for name, stream in files if stream is not None}


@cache
def expected() -> dict[str, list[tuple[str, ...]]]:
    """Of each log, its rows: line, kernel, arch, registers, static_local, barriers, stack, spill stores and loads."""
    rows: dict[str, list[tuple[str, ...]]] = {name: [] for name in logs()}
    with (_DATA / "expected.csv").open(newline="") as text:
        for log, *row in list(csv.reader(text))[1:]:
            rows[log].append(tuple(row))
    return rows
