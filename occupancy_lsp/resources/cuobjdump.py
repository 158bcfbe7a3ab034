"""What `cuobjdump --dump-resource-usage` (`-res-usage`) prints; read from 11.8 to 13.5.

` Function NAME:`, and on the next line `REG:14 STACK:0 SHARED:5120 LOCAL:0 …`. The architecture stands above, but
not for a cubin: its shared memory is unknown if it may be with what the driver keeps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from occupancy_lsp.naming import canonical
from occupancy_lsp.problem import Problem
from occupancy_lsp.resources.nvidia_link import UNLINKED, declared
from occupancy_lsp.resources.usage import Reading, Usage

_ARCH = re.compile(r"arch = (sm_\w{1,8})\s*$")
_CODE = re.compile(r"Fatbin \w{1,16} code:")
_FUNCTION = re.compile(r"\s*Function (.+):\s*$")
_FIGURES = re.compile(r"\s*REG:(\d{1,9}) STACK:(\d{1,9}) SHARED:(\d{1,9}) ")
_ANY = re.compile(rb"REG:\d{1,9} STACK:\d{1,9} SHARED:\d")


def looks_like(data: bytes) -> bool:
    """Whether a file with this content is such a dump."""
    return _ANY.search(data) is not None


def read(data: bytes, path: str) -> Reading:
    """The kernels in their order; `line` is that of the figures. Never raises."""
    text = data.decode("utf-8", "replace")
    usages = list(_usages(text, path))
    if not any(line.startswith("ptxasOptions") and "--compile-only" in line for line in text.split("\n")):
        return Reading(tuple(usages))
    final = tuple(usage for usage in usages if usage.static_local != 0)  # before it is linked, none has any
    problems = (Problem(path, 0, 0, UNLINKED),) if len(final) < len(usages) else ()
    return Reading(final, problems)


def _usages(text: str, path: str) -> Iterator[Usage]:
    kernel = arch = None
    for number, line in enumerate(text.split("\n"), 1):
        if match := _FIGURES.match(line):
            registers, stack, shared = map(int, match.groups())
            if kernel is not None and registers:  # functions that kernels call have none
                static = declared(shared, arch)
                yield Usage(
                    kernel, "compiled", path, number, arch, registers=registers, static_local=static, stack=stack
                )
            kernel = None
        elif match := _FUNCTION.match(line):
            kernel = match[1]
        elif match := _ARCH.match(line):
            arch = canonical(match[1])
        elif _CODE.match(line):
            kernel = arch = None
