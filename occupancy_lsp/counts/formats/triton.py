"""Triton's cache: the JSON file that stands beside each cubin or code object, by the name of the kernel.

It says how the kernel is launched. What the kernel uses is in the file beside it; both are read where both are found.
"""

from __future__ import annotations

import json
import re
from typing import Any

from occupancy_lsp.core.naming import canonical
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts.usage import Reading, Usage

_KEYS = (b'"num_warps"', b'"shared"', b'"name"')
_TARGET = re.compile(r"arch='?(\w{1,16})'?.*warp_size=(\d{1,3})\b")  # how Python prints it
_MOST = 1 << 30


def looks_like(data: bytes) -> bool:
    """Whether a file with this content is one of a kernel; those of groups (`__grp__*.json`) are not."""
    return data[:64].lstrip().startswith(b"{") and all(key in data for key in _KEYS)


def read(data: bytes, path: str) -> Reading:
    """The one kernel. Never raises."""
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return Reading(problems=(Problem(path, 0, 0, "damaged JSON file of Triton's cache"),))
    if not isinstance(said, dict) or not isinstance(said.get("name"), str):
        return Reading()
    arch, width = _target(said)
    warps = _count(said.get("num_warps"))
    threads = warps * width if warps and width else None
    shared = _count(said.get("shared"))
    usage = Usage(said["name"], "compiled", path, 0, arch, dynamic_local=shared, group_size=threads, sub_group=width)
    return Reading((usage,))


def _target(said: dict[str, Any]) -> tuple[str | None, int | None]:
    """Architecture, threads per warp; a dictionary, or its text in newer versions."""
    target = said.get("target")
    if isinstance(target, str) and (match := _TARGET.search(target)):
        target = {"arch": match[1], "warp_size": int(match[2])}
    if not isinstance(target, dict):
        return None, _count(said.get("warp_size"))
    arch = str(target.get("arch", ""))
    named = f"sm_{arch}" if re.fullmatch(r"\d{2,3}", arch) else arch if re.fullmatch(r"gfx\w{1,8}", arch) else None
    return named and canonical(named), _count(target.get("warp_size"))


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < _MOST else None
