"""From a key to the hint and the diagnostics, and the processor time that the key costs."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.figures import Table, Verdict, at_least, at_most, ms, percentile, ratio
from benchmarks.generate import TYPED_BEFORE
from benchmarks.servers import FLOOR, OURS, Server, clangd
from benchmarks.session import Session, started

# Eight keys a second: the timers of a server that waits for a rest have their chance between two keys.
_PACE = 0.125
_AFTER = 0.6
_TYPED = "  float w{} = scale * 2.0f;"  # no key undoes another: each makes a file that no memo has seen


@dataclass(slots=True)
class Seen:
    hints: list[float] = field(default_factory=list)
    diagnostics: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)  # per key, one for each round


def keystrokes(folder: Path, files: dict[int, Path], rounds: int) -> Iterator[Table]:
    other = clangd()
    servers = [FLOOR, OURS, *([other] if other else [])]
    for size, path in files.items():
        seen = {server: Seen() for server in servers}
        for number in range(rounds):
            for server in servers:
                _type(server, folder, path, number, seen[server])
        yield Table(
            f"a key in {size:,} lines",
            ("hint p50", "p95", "diagnostics p50", "p95", "CPU per key", "beside ours"),
            tuple(_row(server, seen[server], seen[OURS]) for server in servers),
            tuple(_verdicts(size, seen[OURS], seen[FLOOR], seen.get(other) if other else None)),
        )


def _type(server: Server, folder: Path, path: Path, number: int, seen: Seen) -> None:
    """Type a statement into a kernel in the middle of the file."""
    line = _middle(path.read_text())
    with started(server, folder) as client:
        client.initialize()
        session = Session(client, path)
        session.settle()
        session.edit((line, 0), (line, 0), "\n")
        session.settle()
        typed = _TYPED.format(number)
        before = client.cpu()
        for column, key in enumerate(typed):
            pressed = time.perf_counter()
            session.edit((line, column), (line, column), key)
            answers = session.ask(line)
            seen.hints.append(answers.hint - pressed)
            seen.diagnostics.append(answers.diagnostics - pressed)
            client.drain(max(0.0, _PACE - (time.perf_counter() - pressed)))
        client.drain(_AFTER)
        seen.cpu.append((client.cpu() - before) / len(typed))


def _middle(text: str) -> int:
    place = text.index(TYPED_BEFORE, len(text) // 2) if text.count(TYPED_BEFORE) > 1 else text.index(TYPED_BEFORE)
    return text.count("\n", 0, place)


def _row(server: Server, seen: Seen, ours: Seen) -> tuple[str, ...]:
    times: Sequence[Sequence[float]] = (seen.hints, seen.diagnostics)
    answered = [ms(percentile(values, share)) for values in times for share in (0.5, 0.95)]
    return server.name, *answered, ms(statistics.median(seen.cpu)), f"{ratio(seen.cpu, ours.cpu):.2f}×"


def _verdicts(size: int, ours: Seen, floor: Seen, other: Seen | None) -> Iterator[Verdict]:
    if size == 2_000:
        yield at_most("CPU per key beside the floor", ratio(ours.cpu, floor.cpu), 3, "×")
        if other:
            yield at_least("clangd's CPU per key beside ours", ratio(other.cpu, ours.cpu), 10, "×")
    if size == 20_000:
        yield at_most("CPU per key", statistics.median(ours.cpu) * 1e3, 10, " ms")
