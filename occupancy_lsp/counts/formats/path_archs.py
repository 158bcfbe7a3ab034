"""The architecture that a file's name or its folder's tells, for files that do not say which device they speak of."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex

_AMD = regex(r"(?<![a-z0-9])gfx[0-9]{1,2}[0-9a-f]{2}(?![0-9a-z])")
_NVIDIA = regex(r"(?<![a-z0-9])sm_?(\d{2,3})[af]?(?![0-9a-z])")
# What ROCm Compute Profiler (Omniperf) calls the folder of a run: by SoC, later by model. Source: its `gpu_model`s.
_PROFILED = {
    "mi50": "gfx906",
    "mi60": "gfx906",
    "mi100": "gfx908",
    "mi200": "gfx90a",
    "mi210": "gfx90a",
    "mi250": "gfx90a",
    "mi250x": "gfx90a",
    "mi300a_a0": "gfx940",
    "mi300x_a0": "gfx941",
    "mi300a_a1": "gfx942",
    "mi300x_a1": "gfx942",
    "mi308x": "gfx942",
    "mi325x": "gfx942",
    "mi350": "gfx950",
}


def amd(path: str) -> str | None:
    """`gfx90a` of `run.gfx90a_kernel_trace.csv`, the last that is named; or of `mi200/pmc_perf.csv`."""
    tail = _tail(path)
    found = _AMD.findall(tail)
    return found[-1] if found else _PROFILED.get(tail.rpartition("/")[0])


def nvidia(path: str) -> str | None:
    """`sm_90` of `sm90/report.csv`."""
    found = _NVIDIA.findall(_tail(path))
    return f"sm_{found[-1]}" if found else None


def _tail(path: str) -> str:
    return "/".join(path.replace("\\", "/").split("/")[-2:]).lower()
