"""What a Vulkan driver says of a pipeline (VK_KHR_pipeline_executable_properties), as JSON, an object for each line.

{"device": "Turnip Adreno (TM) 730"}
{"file": "k/blur.spv", "executable": "CS", "subgroupSize": 128, "stats": {"Registers used": 5}}

Each driver has names of its own. Read is Mesa's Turnip, whose compiler's full vec4 registers are what the presets of
Adreno count. What other drivers count is not known well enough; a Problem says so.
"""

from __future__ import annotations

import json
from typing import Any

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.usage import Reading, Usage

_TURNIP = regex(r"Turnip Adreno \(TM\) (\w{1,8})")
_A610 = ("605", "608", "610", "612")
_A650 = ("643", "650", "660", "690")
_MOST = 10_000  # registers, and threads of a sub-group


def looks_like(data: bytes) -> bool:
    return b'"subgroupSize"' in data and b'"stats"' in data and b'"executable"' in data


def read(data: bytes, path: str) -> Reading:
    """A usage for each compute executable; `line` is its line. Never raises."""
    usages: list[Usage] = []
    arch: str | None = None
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        entry = _entry(line)
        if "device" in entry:
            arch = _arch(str(entry["device"]))
        if "stats" in entry and arch is not None:
            usages += _usage(entry, arch, path, number)
    if usages:
        return Reading(tuple(usages))
    message = "no statistics of Turnip, the one driver whose names are known, not read"
    return Reading(problems=(Problem(path, 0, 0, message),))


def _entry(line: str) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


def _usage(entry: dict[str, Any], arch: str, path: str, line: int) -> list[Usage]:
    stats, name = entry["stats"], entry.get("file")
    if entry.get("executable") != "CS" or not isinstance(stats, dict) or not isinstance(name, str):
        return []
    registers, width = _count(stats.get("Registers used")), _count(entry.get("subgroupSize"))
    return [Usage(name, "compiled", path, line, arch, registers=registers, sub_group=width)]


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 < value <= _MOST else None


def _arch(device: str) -> str | None:
    """Of the presets; the device's own name, which is none of theirs, where it has none."""
    match = _TURNIP.match(device)
    if match is None:
        return None
    number = match[1].lower()
    if number in _A610 or number in _A650:
        return "adreno-a610-class" if number in _A610 else "adreno-a650-class"
    generation = number[0] if number.isdecimal() and len(number) == 3 else ""
    return {"6": "adreno-a6xx", "7": "adreno-a7xx"}.get(generation, f"adreno-{number}")
