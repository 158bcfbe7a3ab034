"""Assembly of AMD's VLIW GPUs (Radeon HD 5000 and 6000) from LLVM's r600 target, 16 to 22.

No directive says what a kernel uses, but the values of hardware registers do that come before it: pairs of address and
value. Nor does one say for which GPU, but Evergreen (VLIW5) and Cayman (VLIW4) store by different instructions.
"""

from __future__ import annotations

import re

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats.amd_kernel import internal
from occupancy_lsp.counts.usage import Reading, Usage

_KERNEL = regex(
    r"^[ \t]*\.section[ \t]+\.AMDGPU\.config\b[^\n]*\n(?P<values>(?:[ \t]*\.long[ \t]+\d{1,10}[^\n]*\n)+)"
    r"(?:[^\n]*\n){0,12}?[ \t]*\.type[ \t]+(?P<name>[^,\n]+),[ \t]*@function",
    re.M,
)
_RESOURCES, _LOCAL = 0x288D4, 0x288E8  # SQ_PGM_RESOURCES_LS and SQ_LDS_ALLOC: registers in the low byte; 4-byte words
_STORES = {"vliw5": "MEM_RAT_CACHELESS STORE_RAW", "vliw4": "MEM_RAT_CACHELESS STORE_DWORD"}


def looks_like(data: bytes) -> bool:
    return b".AMDGPU.config" in data and b"SQ_PGM_RESOURCES:STACK_SIZE" in data


def read(text: str, path: str) -> Reading:
    """The kernels in their order; `line` is that of their values."""
    archs = [arch for arch, store in _STORES.items() if store in text]
    if len(archs) != 1:
        return Reading(problems=(Problem(path, 0, 0, "for which GPU it is cannot be told, for it stores nothing"),))
    usages = []
    line, counted = 1, 0
    for match in _KERNEL.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        numbers = [int(it) for it in re.findall(r"\.long[ \t]+(\d+)", match["values"])]
        values = dict(zip(numbers[::2], numbers[1::2], strict=False))
        name = match["name"].strip('"')
        if _RESOURCES in values and not internal(name):
            registers, local = values[_RESOURCES] & 0xFF, values.get(_LOCAL, 0) * 4
            usages.append(Usage(name, "compiled", path, line, archs[0], registers=registers, static_local=local))
    return Reading(tuple(usages))
