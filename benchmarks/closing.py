"""Memory of the server before many production files were opened, while they are, and after all are closed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.client import Client
from benchmarks.figures import Table, at_most, mib
from benchmarks.servers import OURS
from benchmarks.session import Session, started

_REST = 3.0  # seconds: longer than a server in which nothing is open waits until it lets go
_AT_REST = 0.02  # of them a server that rests is busy at most


def closing(root: Path, files: int) -> Iterator[Table]:
    """`before`: the workspace is read, and one file was opened and closed."""
    paths = _spread(root, files + 1)
    with started(OURS, root) as client:
        client.initialize()
        _open(client, paths[:1])
        before = _closed(client, paths[:1])
        _open(client, paths[1:])
        opened = client.memory()
        after = _closed(client, paths[1:])
    yield Table(
        f"{root.name}: memory of the server over stdio",
        ("before", "all open", "all closed"),
        ((f"{len(paths) - 1} files", mib(before), mib(opened), mib(after)),),
        (at_most("all closed, beside before", after / before, 1.2, "×"),),
    )


def _spread(root: Path, files: int) -> Sequence[Path]:
    """So many of its sources, from all over the tree; the first has a kernel."""
    found = sorted(it for it in root.rglob("*.cu*") if it.suffix in (".cu", ".cuh") and it.is_file())
    first = next(it for it in found if b"__global__" in it.read_bytes())
    rest = [it for it in found if it != first]
    return [first, *rest[:: max(1, len(rest) // files)]][:files]


def _open(client: Client, paths: Sequence[Path]) -> None:
    sessions = [Session(client, it) for it in paths]
    sessions[-1].settle()


def _closed(client: Client, paths: Sequence[Path]) -> float:
    for path in paths:
        client.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
    busy = 1.0
    while busy > _AT_REST:
        before = client.cpu()
        client.drain(_REST)
        busy = client.cpu() - before
    return client.memory()
