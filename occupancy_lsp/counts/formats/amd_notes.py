"""What `llvm-readelf --notes` (and `llvm-readobj --notes`) prints of AMD's code objects: their metadata, as YAML.

The target stands behind the kernels; of what was cut before it nothing is read. Unlike the object, it does not say what
the hardware sets aside beyond what the code uses (`amd_kernel`). Printed by LLVM 14 to 22.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats.amd_kernel import Allocated, internal, targets, usage_of
from occupancy_lsp.counts.formats.amd_metadata import of_assembly
from occupancy_lsp.counts.usage import Reading, Usage

_KERNELS = "amdhsa.kernels:"
_TARGET = regex(r"^amdhsa\.target: +'?([^'\n]{1,200})'?$", re.MULTILINE)


def looks_like(data: bytes) -> bool:
    return _KERNELS.encode() in data and b"AMDGPU Metadata" in data


def read(data: bytes, path: str) -> Reading:
    """The kernels in their order, at the line where those of their object begin. Never raises."""
    usages: list[Usage] = []
    problems: list[Problem] = []
    for line, part in _objects(data.decode("utf-8", "replace").replace("\r\n", "\n")):
        match = _TARGET.search(part)
        known = targets(match[1]) if match else set()
        if len(known) == 1:
            (target,) = known
            usages += _usages(part[: match.start()] if match else "", target, path, line)
        else:
            problems.append(Problem(path, line, 1, "notes without their end, which says for which GPU they are"))
    return Reading(tuple(usages), tuple(problems[:1]))


def _objects(text: str) -> Iterator[tuple[int, str]]:
    """The metadata of each, with the line where they begin."""
    line = 1
    first, *others = text.split(f"\n{_KERNELS}")
    line += first.count("\n") + 1
    for part in others:
        yield line, f"\n{_KERNELS}{part}"
        line += part.count("\n") + 1


def _usages(metadata: str, target: str, path: str, line: int) -> Iterator[Usage]:
    for kernel, facts in of_assembly(metadata, 0):
        if not internal(kernel):
            yield usage_of(kernel, target, facts, Allocated(), path, line)
