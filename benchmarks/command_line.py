"""How much `check` and `calc --jsonl` get through, each a process of its own with its start counted in."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path

from benchmarks.figures import Table, ratio
from benchmarks.generate import sources

_FILE_LINES = 2_000
_POINTS = 20_000


def check(folder: Path, files: int, rounds: int) -> Iterator[Table]:
    sources(folder, files, _FILE_LINES)
    lines = files * _FILE_LINES
    commands = {
        "bare tree-sitter parse": ("benchmarks.bare_parse", str(folder)),
        "occupancy-lsp check": ("occupancy_lsp", "check", str(folder), "--fail-on", "never"),
        "occupancy-lsp check --hints": ("occupancy_lsp", "check", str(folder), "--fail-on", "never", "--hints"),
    }
    seen: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, arguments in commands.items():
            seen[name].append(_seconds(arguments))
    bare = next(iter(seen.values()))
    rows = [
        (name, f"{lines / statistics.median(times):,.0f}", f"{ratio(times, bare):.1f}×") for name, times in seen.items()
    ]
    yield Table(f"a folder of {lines:,} lines", ("lines/s", "time beside bare"), tuple(rows))


def calc(rounds: int) -> Iterator[Table]:
    requests = "".join(islice(_requests(), _POINTS)).encode()
    times = [_seconds(("occupancy_lsp", "calc", "--jsonl"), requests) for _ in range(rounds)]
    seconds = statistics.median(times)
    row = ("occupancy-lsp calc --jsonl", f"{seconds:.2f} s", f"{_POINTS / seconds:,.0f}")
    yield Table(f"{_POINTS:,} points", ("time", "points/s"), (row,))


def _requests() -> Iterator[str]:
    for registers, size, group, device in product(
        range(16, 256, 4), range(0, 49152, 2048), range(32, 1025, 32), ("sm_70", "sm_90", "h100")
    ):
        point = {"device": device, "workgroup": group, "registers": registers, "static_local": size}
        yield json.dumps(point) + "\n"


def _seconds(arguments: tuple[str, ...], given: bytes = b"") -> float:
    began = time.perf_counter()
    subprocess.run((sys.executable, "-m", *arguments), input=given, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began
