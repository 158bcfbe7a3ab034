"""Cubins as CUDA before 3.0 wrote them: text, with a block `code {` for each kernel. Later ones are ELF files.

What the lines mean: the head of Foreign.CUDA.Analysis.Occupancy, and the disassembler decuda, which reads and writes
such files. `smem` has the parameters and the 16 bytes of indices in it, which cc 1.x keeps in shared memory: all of it
counts. `lmem` is per thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from occupancy_lsp.core.naming import canonical
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.usage import Reading, Usage

_ARCHITECTURE = regex(r"^[ \t]*architecture[ \t]*\{(sm_\d{2})\}", re.M)
_CODE = regex(r"^[ \t]*code[ \t]*\{", re.M)
_FIGURE = regex(r"[ \t]*(name|lmem|smem|reg|bar)[ \t]*=[ \t]*(\S{1,4096})[ \t]*")
_LINES = 64  # in which a kernel's figures stand: above its code


def looks_like(data: bytes) -> bool:
    return b"architecture" in data[:4096] and re.search(rb"^[ \t]*code[ \t]*\{", data, re.M) is not None


def read(data: bytes, path: str) -> Reading:
    """The kernels in their order; `line` is that of their block. Never raises."""
    text = data.decode("utf-8", "replace")
    arch = _ARCHITECTURE.search(text)
    if arch is None:
        return Reading(problems=(Problem(path, 0, 0, "a cubin as text that does not say its architecture"),))
    return Reading(tuple(_usages(text, canonical(arch[1]), path)))


def _usages(text: str, arch: str, path: str) -> Iterator[Usage]:
    line, counted = 1, 0
    for match in _CODE.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        figures = dict(_figures(text[match.end() : match.end() + 16384]))
        registers, name = _number(figures, "reg"), figures.get("name")
        if name and registers:
            yield Usage(
                name,
                "compiled",
                path,
                line,
                arch,
                registers=registers,
                static_local=_number(figures, "smem"),
                barriers=_number(figures, "bar"),
                stack=_number(figures, "lmem"),
            )


def _figures(block: str) -> Iterator[tuple[str, str]]:
    """Of the block's own lines, to the first block within it or to its end."""
    for line in block.split("\n")[1:_LINES]:
        if "{" in line or "}" in line:
            return
        if match := _FIGURE.fullmatch(line.rstrip("\r")):
            yield match[1], match[2]


def _number(figures: Mapping[str, str], name: str) -> int | None:
    text = figures.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else None
