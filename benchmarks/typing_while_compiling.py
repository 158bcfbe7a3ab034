"""`python -m benchmarks.typing_while_compiling DIR FILE`: keys while the workspace is compiled, beside keys before it.

CPU is that of the server alone, without the compilers that it starts.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.client import Message
from benchmarks.figures import Table, at_most, ms, percentile, ratio
from benchmarks.servers import OURS
from benchmarks.session import Session, started
from benchmarks.typing_while_indexing import in_a_kernel, statements

_PACE = 0.15  # seconds from key to key
_KEYS = 150


@dataclass(slots=True)
class Seen:
    """`cpu`: of the server alone, for each key, in seconds."""

    hints: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def typing_while_compiling(root: Path, file: Path) -> Table:
    with tempfile.TemporaryDirectory(prefix="occupancy-bench-") as caches, started(OURS, root, Path(caches)) as client:
        client.ask_initialize()
        client.notify("initialized", {})
        session, line = Session(client, file), in_a_kernel(file.read_text())
        session.settle()
        quiet, compiling = Seen(), Seen()
        _type(session, line, quiet, lambda: False)
        ended: list[float] = []
        client.watch = lambda message: _note(message, ended)
        began = time.perf_counter()
        client.ask("workspace/executeCommand", {"command": "occupancy.compileWorkspace", "arguments": []})
        _type(session, line, compiling, lambda: bool(ended))
    rows = (_row("quiet", quiet), _row("compiling", compiling))
    verdict = at_most("CPU of a key while compiling, beside quiet", ratio(compiling.cpu, quiet.cpu), 1.3, "×")
    columns = ("keys", "CPU p50", "CPU p95", "hint p50")
    whole = f"; compiled for {ended[0] - began:.0f} s" if ended else "; compiling went on"
    return Table(f"typing in {file.name} of {root.name}{whole}", columns, rows, (verdict,))


def _row(name: str, seen: Seen) -> tuple[str, ...]:
    middle, high = (percentile(seen.cpu, share) for share in (0.5, 0.95))
    return name, str(len(seen.cpu)), ms(middle), ms(high), ms(percentile(seen.hints, 0.5))


def _note(message: Message, ended: list[float]) -> bool:
    value = message.get("params", {}).get("value") if message.get("method") == "$/progress" else None
    if isinstance(value, dict) and value.get("kind") == "end":
        ended.append(time.perf_counter())
    return False


def _type(session: Session, line: int, seen: Seen, enough: Callable[[], bool]) -> None:
    client, column = session.client, 0
    for _, key in zip(range(_KEYS), statements(), strict=False):
        if enough():
            break
        pressed, used = time.perf_counter(), client.own_cpu()
        session.edit((line, column), (line, column), key)
        seen.hints.append(session.ask(line).hint - pressed)
        column = 0 if key == "\n" else column + 1
        client.drain(max(0.0, _PACE - (time.perf_counter() - pressed)))
        seen.cpu.append(client.own_cpu() - used)


if __name__ == "__main__":
    print(typing_while_compiling(*(Path(os.path.abspath(it)) for it in sys.argv[1:3])))
