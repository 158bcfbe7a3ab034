"""What a cubin of cuTile's compiler (tileiras 13.5) says of its kernels besides the counts: the hints that they have.

They stand in the kernel's code in Tile IR, which is kept beside the line table: `entry @gemm(…) optimization_hints=<
sm_100 = {num_cta_in_cga = 2}, default = {occupancy = 4}> {`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.usage import Usage, Variant

LAUNCH_DATA = "___NV_TILE_LAUNCH_META_DATA___"  # a symbol of each
CODE = ".nv.tileir.debug_txt"  # begins a section's name
LANGUAGE = "cutile"
LINES = ".debug_line"

_OPCODES = 14  # where the number of the first special opcode stands
_ENTRY = regex(rb"\s*entry @(\w+)\(")
_HINTS, _END = b"optimization_hints=<", b"> {"
_LONGEST = 4096  # bytes of a kernel's hints
_TARGET = regex(rb"(\w+) = \{([^{}]*)\}")
_HINT = regex(rb"(\w+) = (\d{1,4})\b")


def as_launched(usages: Iterable[Usage], code: bytes, lines: bytes) -> Iterator[Usage]:
    """With the hints that each kernel was compiled with; what the code does not tell is not known.

    `lines`: the line table, whose first file has the kernels.

    All shared memory is static there, and may be as much as others have to ask for at launch, which is how it counts.
    """
    told, source = dict(_told(code)), _source(lines)
    for it in usages:
        hints = _hints(told.get(it.kernel, b""), it.arch)
        variant = Variant(num_ctas=hints.get("num_cta_in_cga"), occupancy=hints.get("occupancy"))
        yield replace(
            it, static_local=0, dynamic_local=it.static_local, variant=variant, language=LANGUAGE,
            at=(source, 0) if source else None,
        )  # fmt: skip


def _source(lines: bytes) -> str:
    """Its first file; "": it cannot be told. A header of DWARF 2 or 3: 14 bytes, lengths of opcodes, folders, files."""
    if len(lines) <= _OPCODES or lines[4:6] not in (b"\2\0", b"\3\0"):
        return ""
    folders, _, files = lines[_OPCODES + lines[_OPCODES] :].partition(b"\0\0")
    file, _, rest = files.partition(b"\0")
    number = rest[0] if rest else 0
    folder = folders.split(b"\0")[number - 1 : number] if number else []
    return b"/".join((*folder, file)).decode("utf-8", "replace")


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
