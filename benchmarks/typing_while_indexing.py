"""`python -m benchmarks.typing_while_indexing DIR [FILE]`: keys while a workspace is read, beside keys after it.

Every server has a cache of its own, which only the second start finds filled. What a header says is asked anew while
keys are typed, because a header changes on disk.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from benchmarks.client import Client, Message
from benchmarks.figures import Table, at_most, mib, ms, percentile, ratio
from benchmarks.generate import tree
from benchmarks.servers import OURS
from benchmarks.session import Session, started

_FILES, _LINES = 600, 600
_PACE = 0.05  # quick typing: more keys while the index is built
_TYPED = "  float w{} = 2.0f * 0.5f;"  # no key undoes another: each makes a file that no memo has seen
_KEYS = 60
_CHANGES = 10  # keys from one change of a header to the next


@dataclass(slots=True)
class Seen:
    """One phase, over all rounds. `until`: seconds from `initialized` to the end of the reading."""

    hints: list[float] = field(default_factory=list)
    median: list[float] = field(default_factory=list)  # of one round
    cpu: list[float] = field(default_factory=list)  # per key
    until: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    initialize: list[float] = field(default_factory=list)


def typing_while_indexing(folder: Path, rounds: int) -> Iterator[Table]:
    root = folder / "workspace"
    file = tree(root, _FILES, _LINES)
    yield from beside_quiet(root, file, rounds, root / "include" / "shared.cuh")


def beside_quiet(root: Path, file: Path, rounds: int, header: Path | None = None) -> Iterator[Table]:
    names = ("quiet", "first reading", "second start", *(["headers change"] if header else []))
    seen = {name: Seen() for name in names}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="occupancy-bench-") as caches:
            for name in ("first reading", "second start"):
                with started(OURS, root, Path(caches)) as client:
                    seen[name].initialize.append(client.ask_initialize())
                    session, line = _read(client, file, seen[name])
                    if name == "first reading":
                        _keys(session, line, seen["quiet"], _KEYS, lambda number: None)
                        if header:
                            _keys(session, line, seen["headers change"], _KEYS, _changing(client, header))
    quiet = seen["quiet"]
    rows = tuple(_row(name, it, quiet) for name, it in seen.items())
    columns = ("hint p50", "p95", "p50 beside quiet", "CPU per key", "read after", "memory", "initialize")
    yield Table(
        f"typing in {file.name} of {root.name}", columns, rows,
        (at_most("hints while it is read beside quiet", ratio(seen["first reading"].median, quiet.median), 2, "×"),),
    )  # fmt: skip


def _read(client: Client, file: Path, seen: Seen) -> tuple[Session, int]:
    """Type from the first moment until the whole workspace has been read. Returns also where."""
    began = time.perf_counter()
    client.notify("initialized", {})
    session = Session(client, file)
    ended: list[float] = []

    def look(message: Message) -> bool:
        value = message.get("params", {}).get("value") if message.get("method") == "$/progress" else None
        if isinstance(value, dict) and value.get("kind") == "end":
            ended.append(time.perf_counter() - began)
        return False

    client.watch = look
    line = in_a_kernel(file.read_text())
    session.ask(line)  # what opening costs is no key's
    _keys(session, line, seen, 100_000, lambda number: ended)
    client.watch = None
    seen.until.append(ended[0])
    session.settle()
    seen.memory.append(client.memory())
    return session, line


def in_a_kernel(text: str) -> int:
    """The line after the first brace of a kernel in the middle of the file."""
    kernel = text.find("__global__", len(text) // 2)
    brace = text.index("{", kernel if kernel >= 0 else text.index("__global__"))
    return text.count("\n", 0, brace) + 1


def _keys(session: Session, line: int, seen: Seen, most: int, before: Callable[[int], object]) -> None:
    """Type statements, `before` each key until it says that it is enough."""
    client = session.client
    hints: list[float] = []
    used, column = client.cpu(), 0
    for number, key in zip(range(most), statements(), strict=False):
        if before(number):
            break
        pressed = time.perf_counter()
        session.edit((line, column), (line, column), key)
        hints.append(session.ask(line).hint - pressed)
        column = 0 if key == "\n" else column + 1
        client.drain(max(0.0, _PACE - (time.perf_counter() - pressed)))
    if hints:
        seen.hints += hints
        seen.median.append(percentile(hints, 0.5))
        seen.cpu.append((client.cpu() - used) / len(hints))


def statements() -> Iterator[str]:
    for number in count():
        yield from f"{_TYPED.format(number)}\n"


def _changing(client: Client, header: Path) -> Callable[[int], None]:
    def change(number: int) -> None:
        if number % _CHANGES == 0:
            with header.open("a") as stream:
                stream.write(f"constexpr int kAdded{number} = {number};\n")
            client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": header.as_uri(), "type": 2}]})

    return change


def _row(name: str, seen: Seen, quiet: Seen) -> tuple[str, ...]:
    def one(values: Sequence[float], said: Callable[[float], str] = ms) -> str:
        return said(percentile(values, 0.5)) if values else "–"

    ends = [ms(percentile(seen.hints, share)) for share in (0.5, 0.95)] if seen.hints else ["–", "–"]
    beside = f"{ratio(seen.median, quiet.median):.2f}×" if len(seen.median) == len(quiet.median) else "–"
    return name, *ends, beside, one(seen.cpu), one(seen.until), one(seen.memory, mib), one(seen.initialize)


if __name__ == "__main__":
    given = Path(os.path.abspath(sys.argv[1]))
    kernels = (it for it in given.rglob("*.cu") if b"__global__" in it.read_bytes())
    typed = Path(sys.argv[2]) if len(sys.argv) > 2 else max(kernels, key=lambda it: it.stat().st_size)
    for table in beside_quiet(given, typed.absolute(), rounds=1):
        print(table)
