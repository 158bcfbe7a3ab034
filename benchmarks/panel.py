"""From a field of the panel that changes to the figure: the time until the answer, and the processor time of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.client import Client
from benchmarks.figures import Table, at_most, ms, percentile
from benchmarks.generate import TYPED_BEFORE
from benchmarks.servers import OURS
from benchmarks.session import Session, started

_LIMIT = 5.0  # ms
_BESIDE = "rtx-4090"
_FIELDS: Mapping[str, Sequence[int]] = {
    "registers": range(24, 64),
    "group_size": range(64, 1024, 32),
    "static_local": range(1024, 41 * 1024, 1024),
}


@dataclass(slots=True)
class Seen:
    times: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def panel(folder: Path, path: Path) -> Iterator[Table]:
    """Of a kernel in the middle of a file."""
    text = path.read_text()
    line = text.count("\n", 0, text.index(TYPED_BEFORE, len(text) // 2))
    asked = {"uri": path.as_uri(), "position": {"line": line, "character": 0}}
    with started(OURS, folder) as client:
        client.initialize()
        Session(client, path).settle()
        asked["kernel"] = client.ask("occupancy/panel", asked)["kernel"]
        seen = {key: _change(client, "occupancy/panel", asked, key) for key in _FIELDS}
        beside = _change(client, "occupancy/panel", {**asked, "beside": _BESIDE}, "registers")
        client.ask("occupancy/applicable", {**asked, "changes": {"group_size": "96"}})
        offered = _change(client, "occupancy/applicable", asked, "group_size")
    yield Table(
        "the panel: a changed field",
        ("answer p50", "p95", "CPU p50", "p95"),
        (
            *(_row(key, it) for key, it in seen.items()),
            _row("registers, a device beside", beside),
            _row("what can be applied, after the first size", offered),
        ),
        tuple(at_most(f"CPU p50, {key}", percentile(it.cpu, 0.5) * 1e3, _LIMIT, " ms") for key, it in seen.items()),
    )


def _change(client: Client, method: str, asked: Mapping[str, object], key: str) -> Seen:
    seen = Seen()
    for value in _FIELDS[key]:
        before, began = client.own_cpu(), time.perf_counter()
        client.ask(method, {**asked, "changes": {key: str(value)}})
        seen.times.append(time.perf_counter() - began)
        seen.cpu.append(client.own_cpu() - before)
    return seen


def _row(name: str, seen: Seen) -> tuple[str, ...]:
    return name, *(ms(percentile(values, share)) for values in (seen.times, seen.cpu) for share in (0.5, 0.95))
