"""The table "Kernel Properties" that Intel's unitrace prints with `-d`.

Columns: intel/pti-gpu, tools/unitrace (README.md, ze_collector.h). The name ends in the shape of the launch with `-v`,
such as `gemm[SIMD16 {20;1;1} {64;8;1}]`: groups, then threads per group. The first releases have four columns of
figures, without commas between them. Local memory is what the driver needs for the kernel before its arguments are set.
Spilled bytes are per hardware thread, as in the driver. The device is not said: the file's name, or its folder's, has
to, in the words of ocloc.
"""

from __future__ import annotations

import re
from dataclasses import replace
from math import prod

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import intel_archs
from occupancy_lsp.counts.formats.tables import each_kernel_once, whole
from occupancy_lsp.counts.usage import Reading, Usage

_TITLE = "=== Kernel Properties ==="
_NAMED = r"\s*(?P<kernel>\"[^\"]{1,4096}\"|\S.{0,4096}?)"
_ROW = regex(
    _NAMED + r",\s*(?:JIT|AOT),\s*(?P<simd>\d+|ANY),\s*\d+,\s*(?P<local>\d+),\s*\d+,\s*(?P<spilled>\d+),"
    r"\s*(?P<grf>\d+|unknown)\s*"
)
_OLD_ROW = regex(_NAMED + r",\s+\d+\s+(?P<local>\d+)\s+\d+\s+(?P<spilled>\d+)\s*")
_SHAPE = regex(r"\[SIMD(\d+|_?ANY)? ?\{[^}]*\} ?\{(\d+); ?(\d+); ?(\d+)\}\]$")
_LONGEST = 8192  # characters of a line


def looks_like(data: bytes) -> bool:
    return _TITLE.encode() in data


def read(data: bytes, path: str) -> Reading:
    """A usage for each kernel and architecture. Never raises."""
    archs = intel_archs.named_in(path)
    usages: list[Usage] = []
    within = False
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        if line.startswith("==="):
            within = line.startswith(_TITLE)
        elif within and len(line) <= _LONGEST and (match := _ROW.fullmatch(line) or _OLD_ROW.fullmatch(line)):
            usages.append(_usage(match, path, number))
    if usages and not archs:
        message = "unitrace does not say for which GPU it is: name the file for it, as in properties.pvc.txt"
        return Reading(problems=(Problem(path, 0, 0, message),))
    return Reading(tuple(replace(usage, arch=arch) for usage in each_kernel_once(usages) for arch in archs))


def _usage(match: re.Match[str], path: str, line: int) -> Usage:
    figures = match.groupdict()
    kernel = figures["kernel"].strip('"')
    shape = _SHAPE.search(kernel)
    simd = figures.get("simd") or (shape[1] if shape else None)
    return Usage(
        kernel[: shape.start()] if shape else kernel,
        "measured",
        path,
        line,
        grf=whole(figures.get("grf")) or None,
        sub_group=1 if simd == "ANY" else whole(simd) or None,
        static_local=whole(figures["local"]),
        group_size=prod(map(int, shape.groups()[1:])) if shape else None,
        spill_size=whole(figures["spilled"]),
    )
