"""What a cubin of cuTile's compiler (tileiras 13.5) says of its kernels besides the counts: the hints that they have.

They stand in the kernel's code in Tile IR, which is kept beside the line table: `entry @gemm(…) optimization_hints=<
sm_100 = {num_cta_in_cga = 2}, default = {occupancy = 4}> {`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from occupancy_lsp.counts.usage import Usage, Variant

LAUNCH_DATA = "___NV_TILE_LAUNCH_META_DATA___"  # a symbol of each
CODE = ".nv.tileir.debug_txt"  # begins a section's name

_ENTRY = re.compile(rb"\s*entry @(\w+)\(")
_HINTS, _END = b"optimization_hints=<", b"> {"
_LONGEST = 4096  # bytes of a kernel's hints
_TARGET = re.compile(rb"(\w+) = \{([^{}]*)\}")
_HINT = re.compile(rb"(\w+) = (\d{1,4})\b")


def as_launched(usages: Iterable[Usage], code: bytes) -> Iterator[Usage]:
    """With the hints that each kernel was compiled with; what the code does not tell is not known.

    All shared memory is static there, and may be as much as others have to ask for at launch, which is how it counts.
    """
    told = dict(_told(code))
    for it in usages:
        hints = _hints(told.get(it.kernel, b""), it.arch)
        variant = Variant(num_ctas=hints.get("num_cta_in_cga"), occupancy=hints.get("occupancy"))
        yield replace(it, static_local=0, dynamic_local=it.static_local, variant=variant)


def _told(code: bytes) -> Iterator[tuple[str, bytes]]:
    """The hints of each kernel, by its symbol."""
    for line in re.split(rb"[\0\n]", code):
        if (entry := _ENTRY.match(line)) is not None:
            yield entry[1].decode(), line.rpartition(_HINTS)[2].partition(_END)[0][:_LONGEST]


def _hints(text: bytes, arch: str | None) -> Mapping[str, int]:
    """Those for the architecture, over those for all."""
    by_target = {match[1].decode(): match[2] for match in _TARGET.finditer(text)}
    given = b", ".join(by_target.get(it, b"") for it in ("default", arch or ""))
    return {match[1].decode(): int(match[2]) for match in _HINT.finditer(given)}
