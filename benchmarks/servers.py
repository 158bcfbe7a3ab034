"""The servers that are compared, and how each is started."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass

_CLANGD = ("clangd", *(f"clangd-{version}" for version in range(21, 13, -1)))


@dataclass(frozen=True, slots=True)
class Server:
    name: str
    command: tuple[str, ...]


def _python(name: str, module: str, *arguments: str) -> Server:
    return Server(name, (sys.executable, "-m", module, *arguments))


OURS = _python("occupancy-lsp", "occupancy_lsp", "serve", "--stdio")
FLOOR = _python("floor", "benchmarks.floor_server")
MINIMAL = _python("minimal pygls", "benchmarks.minimal_server")


def clangd() -> Server | None:
    """The newest clangd that is installed."""
    found = next((name for name in _CLANGD if shutil.which(name)), None)
    return Server(found, (found, "--background-index=0", "--log=error")) if found else None
