"""Memory of the server's processes: after `initialize`, and with a file open that has been analysed."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.figures import Table, at_most, mib, ratio
from benchmarks.servers import FLOOR, MINIMAL, OURS, Server, clangd
from benchmarks.session import Session, started


@dataclass(slots=True)
class Seen:
    initialized: list[float] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)


def memory(folder: Path, file: Path, rounds: int) -> Iterator[Table]:
    other = clangd()
    seen = {server: Seen() for server in (MINIMAL, OURS, FLOOR, *([other] if other else []))}
    for _ in range(rounds):
        for server, its in seen.items():
            _measure(server, folder, file, its)
    ours, minimal = seen[OURS], seen[MINIMAL]
    yield Table(
        "memory (RSS)",
        ("initialized", "beside minimal", "2,000 lines open", "beside minimal"),
        tuple(_row(server, its, minimal) for server, its in seen.items()),
        (
            at_most("RSS beside a minimal server, initialized", ratio(ours.initialized, minimal.initialized), 1.5, "×"),
            at_most("RSS beside a minimal server, file open", ratio(ours.opened, minimal.opened), 1.5, "×"),
        ),
    )


def _measure(server: Server, folder: Path, file: Path, seen: Seen) -> None:
    with started(server, folder) as client:
        client.initialize()
        client.drain(1.0)
        seen.initialized.append(client.memory())
        Session(client, file).settle()
        seen.opened.append(client.memory())


def _row(server: Server, seen: Seen, minimal: Seen) -> tuple[str, ...]:
    pairs = ((seen.initialized, minimal.initialized), (seen.opened, minimal.opened))
    cells = [cell for its, base in pairs for cell in (mib(statistics.median(its)), f"{ratio(its, base):.2f}×")]
    return server.name, *cells
