"""Until diagnostics are pushed: servers wait for a rest, so these are delays that are meant and not work."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.client import Message
from benchmarks.figures import Table, ms
from benchmarks.generate import FAULT
from benchmarks.servers import OURS, Server, clangd
from benchmarks.session import Session, started


def delays(folder: Path, file: Path, times: int) -> Iterator[Table]:
    other = clangd()
    rows = tuple(_row(server, folder, file, times) for server in (OURS, *([other] if other else [])))
    yield Table("pushed after an edit in 2,000 lines", ("a new fault", "a fault gone"), rows)


def _row(server: Server, folder: Path, file: Path, times: int) -> tuple[str, ...]:
    last = file.read_text().count("\n")
    came, went = [], []
    with started(server, folder) as client:
        client.initialize(pulls=False)
        session = Session(client, file)
        session.settle()
        for _ in range(times):
            came.append(_pushed(session, (last, 0), (last, 0), FAULT))
            went.append(_pushed(session, (last, 0), (last + 1, 0), ""))
    return server.name, ms(statistics.median(came)), ms(statistics.median(went))


def _pushed(session: Session, start: tuple[int, int], end: tuple[int, int], text: str) -> float:
    """Seconds until there are diagnostics, or none, as the text has faults or none."""

    def wanted(message: Message) -> bool:
        return session.is_published(message) and bool(message["params"]["diagnostics"]) == bool(text)

    edited = time.perf_counter()
    session.edit(start, end, text)
    session.client.wait(wanted)
    return time.perf_counter() - edited
