"""Listings of compiled HLSL compute shaders, shader model 4 and 5, as fxc and vkd3d-compiler write them.

The declarations (Microsoft, "Shader Model 5 Assembly"): dcl_thread_group X, Y, Z; dcl_tgsm_structured gN, stride,
count; dcl_tgsm_raw gN, bytes. Group-shared memory is bounded: a driver may drop what is never read. dcl_temps counts
registers before the driver allocates its own, so registers are not said. A listing has no name: the shader is called as
its file.
"""

from __future__ import annotations

import re
from math import prod

from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.usage import Reading, Usage

_SHADER = regex(rb"^\s{0,16}cs_[45]_[01]\s*$", re.MULTILINE)
_LABEL = r"^\s*(?:\d{1,9}:\s*)?"  # of a line, which fxc numbers on demand
_GROUP = regex(_LABEL + r"dcl_thread_group\s+(\d{1,5}),\s*(\d{1,5}),\s*(\d{1,5})")
_SHARED = regex(_LABEL + r"dcl_tgsm_(?:structured\s+g\d+,\s*(\d{1,9}),\s*(\d{1,9})|raw\s+g\d+,\s*(\d{1,9}))")
_LONGEST = 400


def looks_like(data: bytes) -> bool:
    return b"dcl_thread_group" in data and _SHADER.search(data) is not None


def read(data: bytes, path: str) -> Reading:
    """The usage of the one shader of a listing, at the line of its group size. Never raises."""
    local = line = 0
    size: int | None = None
    for number, text in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        if match := _GROUP.match(text[:_LONGEST]):
            if size is not None:
                return Reading()  # several shaders, and nothing says which is which
            size, line = prod(map(int, match.groups())), number
        elif match := _SHARED.match(text[:_LONGEST]):
            local += prod(int(figure) for figure in match.groups() if figure)
    if not size:
        return Reading()
    name = path.replace("\\", "/").rsplit("/", 1)[-1].partition(".")[0]
    return Reading((Usage(name, "bounded", path, line, static_local=local, group_size=size),))
