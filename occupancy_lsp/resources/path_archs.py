"""The architecture that a file's name or its folder's tells, for files that do not say which device they speak of."""

from __future__ import annotations

import re

_AMD = re.compile(r"(?<![a-z0-9])gfx[0-9]{1,2}[0-9a-f]{2}(?![0-9a-z])")
_NVIDIA = re.compile(r"(?<![a-z0-9])sm_?(\d{2,3})[af]?(?![0-9a-z])")


def amd(path: str) -> str | None:
    """`gfx90a` of `run.gfx90a_kernel_trace.csv`; the last that is named."""
    found = _AMD.findall(_tail(path))
    return found[-1] if found else None


def nvidia(path: str) -> str | None:
    """`sm_90` of `sm90/report.csv`."""
    found = _NVIDIA.findall(_tail(path))
    return f"sm_{found[-1]}" if found else None


def _tail(path: str) -> str:
    return "/".join(path.replace("\\", "/").split("/")[-2:]).lower()
