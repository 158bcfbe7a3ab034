"""From starting the process to the answer to `initialize`, to the first hint and to the first diagnostics."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.figures import Table, at_most, ms, ratio
from benchmarks.generate import FAULT
from benchmarks.servers import FLOOR, MINIMAL, OURS, Server, clangd
from benchmarks.session import Session, started


@dataclass(slots=True)
class Seen:
    initialized: list[float] = field(default_factory=list)
    hint: list[float] = field(default_factory=list)
    diagnostics: list[float] = field(default_factory=list)


def cold_start(folder: Path, file: Path, rounds: int) -> Iterator[Table]:
    faulty = folder / "faulty.cu"
    faulty.write_text(file.read_text() + FAULT)
    other = clangd()
    seen = {server: Seen() for server in (MINIMAL, OURS, FLOOR, *([other] if other else []))}
    for server in seen:  # once for the caches: of files, and of compiled modules
        _start(server, folder, faulty, Seen())
    for _ in range(rounds):
        for server, its in seen.items():
            _start(server, folder, faulty, its)
    faulty.unlink()
    yield Table(
        "from start to",
        ("initialize", "beside minimal", "first hint", "first diagnostics"),
        tuple(_row(server, its, seen[MINIMAL]) for server, its in seen.items()),
        (at_most("initialize beside a minimal server", _beside(seen[OURS], seen[MINIMAL]), 1.3, "×"),),
    )


def _start(server: Server, folder: Path, faulty: Path, seen: Seen) -> None:
    with started(server, folder) as client:
        seen.initialized.append(client.initialize(pulls=False))
        answers = Session(client, faulty).ask(0)
        seen.hint.append(answers.hint - client.started)
        seen.diagnostics.append(answers.diagnostics - client.started)


def _row(server: Server, seen: Seen, minimal: Seen) -> tuple[str, ...]:
    initialized, hint, diagnostics = map(statistics.median, (seen.initialized, seen.hint, seen.diagnostics))
    return server.name, ms(initialized), f"{_beside(seen, minimal):.2f}×", ms(hint), ms(diagnostics)


def _beside(seen: Seen, minimal: Seen) -> float:
    return ratio(seen.initialized, minimal.initialized)
