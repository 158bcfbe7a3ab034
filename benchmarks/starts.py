"""Two starts of the server with one production file, until it rests: with empty caches, and with those of the first."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Table, at_most, mib
from benchmarks.servers import OURS
from benchmarks.session import Session, started


def starts(root: Path, path: Path) -> Iterator[Table]:
    rows = []
    seconds = 0.0
    with tempfile.TemporaryDirectory(prefix="occupancy-bench-") as caches:
        for name in ("first start", "second start"):
            with started(OURS, root, Path(caches)) as client:
                client.initialize()
                Session(client, path).settle()
                seconds = client.cpu()
                rows.append((name, f"{seconds:.2f} s", mib(client.memory())))
    yield Table(path.name, ("CPU", "memory"), tuple(rows), (at_most("second start", seconds, 2, " s of CPU"),))
