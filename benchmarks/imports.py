"""What is imported before `initialize` is answered, and by `check`: the part of a start that grows unnoticed."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from benchmarks.client import Client
from benchmarks.figures import Table, ms
from benchmarks.servers import MINIMAL, OURS, Server

_LINE = re.compile(r"import time:\s+(\d+) \|\s+\d+ \| +(\S+)")
_LARGEST = 4


def imports(folder: Path, file: Path) -> Iterator[Table]:
    rows = [_row(f"{server.name}, initialize", _of_server(server, folder)) for server in (MINIMAL, OURS)]
    command = (sys.executable, "-X", "importtime", "-m", "occupancy_lsp", "check", str(file), "--fail-on", "never")
    checked = subprocess.run(command, capture_output=True, text=True, check=True)
    yield Table("imports", ("modules", "time", "most of it"), (*rows, _row("occupancy-lsp check", checked.stderr)))


def _of_server(server: Server, folder: Path) -> str:
    python, *arguments = server.command
    with tempfile.TemporaryFile("w+") as told:
        client = Client(Server(server.name, (python, "-X", "importtime", *arguments)), folder, told.fileno())
        client.ask_initialize()
        told.seek(0)
        log = told.read()
        client.close()
    return log


def _row(name: str, log: str) -> tuple[str, ...]:
    packages: dict[str, float] = defaultdict(float)
    found = [(module, int(microseconds) / 1e6) for microseconds, module in _LINE.findall(log)]
    for module, seconds in found:
        packages[module.split(".")[0]] += seconds
    largest = sorted(packages, key=lambda package: packages[package], reverse=True)[:_LARGEST]
    most = ", ".join(f"{package} {ms(packages[package])}" for package in largest)
    return name, str(len(found)), ms(sum(packages.values())), most
