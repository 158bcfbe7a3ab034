"""What `cuobjdump --dump-resource-usage` (`-res-usage`) prints; read from 11.8 to 13.5.

` Function NAME:`, and on the next line `REG:14 STACK:0 SHARED:5120 LOCAL:0 CONSTANT[0]:544 …`; only kernels have that
constant bank. The architecture stands above, but not for a cubin: its shared memory is unknown if it may be with what
the driver keeps. So it is where nothing tells linked code, which has that, from what -rdc=true makes, which has not:
only the options that stand with PTX do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from occupancy_lsp.core.naming import canonical
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats.nvidia_link import UNLINKED, declared
from occupancy_lsp.counts.usage import Reading, Usage

_ARCH = regex(r"arch = (sm_\w{1,8})\s*$")
_CODE = regex(r"Fatbin \w{1,16} code:")
_FUNCTION = regex(r"\s*Function (.+):\s*$")
_FIGURES = regex(
    r"\s*REG:(\d{1,9}) STACK:(\d{1,9}|UNKNOWN) SHARED:(\d{1,9}) LOCAL:\d{1,9} .{0,200}?CONSTANT\[0\]:(\d{1,9}) "
)
_PARAMETERS = 528  # bytes of constants before those of the kernel on sm_90; fewer before it, more after it
_ANY = regex(rb"REG:\d{1,9} STACK:\w{1,9} SHARED:\d")


def looks_like(data: bytes) -> bool:
    """Whether a file with this content is such a dump."""
    return _ANY.search(data) is not None


def read(data: bytes, path: str) -> Reading:
    """The kernels in their order; `line` is that of the figures. Never raises."""
    text = data.decode("utf-8", "replace")
    options = [line for line in text.split("\n") if line.startswith("ptxasOptions")]
    usages = tuple(_usages(text, path, bool(options)))
    if usages and any("--compile-only" in line for line in options):
        return Reading(problems=(Problem(path, 0, 0, UNLINKED),))
    return Reading(usages)


def _usages(text: str, path: str, linked: bool) -> Iterator[Usage]:
    kernel = arch = None
    for number, line in enumerate(text.split("\n"), 1):
        if match := _FIGURES.match(line):
            if kernel is not None:
                yield _usage(Usage(kernel, "compiled", path, number, arch), linked, *match.groups())
            kernel = None
        elif match := _FUNCTION.match(line):
            kernel = match[1]
        elif match := _ARCH.match(line):
            arch = canonical(match[1])
        elif _CODE.match(line):
            kernel = arch = None


def _usage(kernel: Usage, linked: bool, registers: str, stack: str, shared: str, constants: str) -> Usage:
    return replace(
        kernel,
        registers=int(registers) or None,
        static_local=_declared(int(shared), kernel.arch, linked, int(constants) < _PARAMETERS),
        stack=int(stack) if stack.isdecimal() else None,  # it calls itself
    )


def _declared(shared: int, arch: str | None, linked: bool, older: bool) -> int | None:
    """`older`: the constants are fewer than a kernel's on sm_90."""
    without = declared(shared, arch)
    if arch is None:
        return shared if older else without
    return without if linked or without == shared else declared(shared, None)
