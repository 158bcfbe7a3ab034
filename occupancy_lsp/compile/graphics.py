"""The graphics processors of this machine, as the vendors' own tools name them. Only on the user's request."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from occupancy_lsp.compile.toolchains import Machine, find_tool
from occupancy_lsp.core.dataclass import dataclass

_SECONDS = 20.0
_KEPT = ("LD_LIBRARY_PATH", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "PROGRAMFILES", "PROGRAMDATA", "TEMP", "TMP")


@dataclass(frozen=True, slots=True)
class Seen:
    """A processor: its `names`, the most exact first, and the tool that printed them."""

    tool: str
    names: tuple[str, ...]


def seen(machine: Machine, roots: Sequence[Path]) -> tuple[Seen, ...]:
    """What the tools outside the workspaces `roots` print, each processor once per tool. Never raises."""
    found = (
        Seen(tool, names)
        for tool, arguments, read in _TOOLS
        if (program := find_tool(tool, machine, roots)) is not None
        for names in read(_said([program, *arguments], machine.environment))
        if names
    )
    return tuple(dict.fromkeys(found))


def _said(command: list[str], environment: Mapping[str, str]) -> str:
    """Nothing where the tool fails. It works in an empty folder, without what the workspace could say to it."""
    kept = {name: value for name, value in environment.items() if name.upper() in _KEPT}
    with tempfile.TemporaryDirectory() as folder:
        own = {**kept, "LC_ALL": "C", "HOME": folder, "PATH": os.path.dirname(command[0])}
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env=own,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return ""
    return done.stdout[: 1 << 20].decode("utf-8", "replace") if done.returncode == 0 else ""


def _of_nvidia_smi(text: str) -> Iterator[tuple[str, ...]]:
    yield from ((name,) for name in re.findall(r"(?m)^GPU \d+: (.+?) \(UUID:", text))


def _of_rocminfo(text: str) -> Iterator[tuple[str, ...]]:
    for agent in re.split(r"(?m)^Agent \d+", text)[1:]:
        if re.search(r"Device Type:\s+GPU\b", agent):
            target, marketing = _value(agent, "Name:"), _value(agent, "Marketing Name:")
            yield tuple(filter(None, (marketing, target)))


def _of_clinfo(text: str) -> Iterator[tuple[str, ...]]:
    """Of two programs of this name: columns of names, or AMD's with colons."""
    for device in re.split(r"(?m)^(?=  Device Name  |  Device Type:)", text)[1:]:
        if re.search(r"Device Type:?\s+(?:GPU|CL_DEVICE_TYPE_GPU)\b", device):
            board = _value(device, "Device Board Name (AMD)") or _value(device, "Board name:")
            yield tuple(filter(None, (board, _value(device, "Device Name") or _value(device, "Name:"))))


def _of_sysctl(text: str) -> Iterator[tuple[str, ...]]:
    yield from ((name,) for name in re.findall(r"(?m)^Apple M\d.*$", text))


def _value(text: str, label: str) -> str:
    found = re.search(rf"(?m)^[ \t]*{re.escape(label)}[ \t]+(\S.*?)[ \t]*$", text)
    return found[1] if found else ""


_TOOLS: tuple[tuple[str, tuple[str, ...], Callable[[str], Iterator[tuple[str, ...]]]], ...] = (
    ("nvidia-smi", ("-L",), _of_nvidia_smi),
    ("rocminfo", (), _of_rocminfo),
    ("clinfo", (), _of_clinfo),
    ("sysctl", ("-n", "machdep.cpu.brand_string"), _of_sysctl),
)
TOOLS = tuple(name for name, _, _ in _TOOLS)
