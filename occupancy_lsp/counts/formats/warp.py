"""Warp's kernel cache: a cubin for each module and size of a block, with its generated CUDA and a JSON file beside it.

`wp_pkg.sim_b927404.sm90.cubin` is of the module `pkg.sim`; `.cu` has the size and the lines of the source, `.meta` the
dynamic shared memory of each kernel. A kernel's symbol has a digest of its text: `saxpy_d0756060_cuda_kernel_forward`.
Version 1.19 was tried.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import cubin
from occupancy_lsp.counts.usage import Reading, Usage, Variant

CODE, METADATA = ".cu", ".meta"
_BINARY = regex(r"(wp_(\w[\w.]*?)(?:_[0-9a-f]{7})?)\.sm\d{2,3}[af]?\.cubin")
_SCRIPT = "__main__"  # the module of a file that was run, whichever that is
_SIZE = regex(rb"^#define WP_TILE_BLOCK_DIM (\d{1,4})\b", re.MULTILINE)
_FORWARD = regex(r"(\w+?)(?:_([0-9a-f]{8}))?_cuda_kernel_forward")
_DEF = regex(rb"\s*// def (\w+)\(")
_LINE = regex(rb"<L (\d{1,7})>\s*\Z")
_WIDTH = 16  # of what ends such a comment
_MOST = 1 << 30


def stem_of(name: str) -> str | None:
    """What the files of a module are called, without their suffixes; None: it is no binary of a module."""
    found = _BINARY.fullmatch(name)
    return found[1] if found else None


def module_of(name: str) -> str:
    """`pkg/sim.py`, of what has such a stem; "": it tells no file."""
    found = _BINARY.fullmatch(name)
    return f"{found[2].replace('.', '/')}.py" if found and found[2] != _SCRIPT else ""


def read(data: bytes, path: str, code: bytes, metadata: bytes, source: str | None) -> Reading:
    """The kernels of the forward pass. `source`: the module's file; None: it is not known, so that they speak only of
    kernels with the digests in their symbols. Never raises."""
    reading, size = cubin.read(data, path), _SIZE.search(code)
    found = _forward(reading, source, int(size[1]), code, _asked(metadata)) if size else ()
    return replace(reading, usages=tuple(found))


def _forward(reading: Reading, source: str | None, size: int, code: bytes, asked: dict[str, Any]) -> Iterator[Usage]:
    lines = dict(_lines(code))
    for it in reading.usages:
        kernel, line = _FORWARD.fullmatch(it.kernel), lines.get(it.kernel)
        if kernel is None or line is None or line[0] != kernel[1] or (source is None and kernel[2] is None):
            continue
        dynamic = asked.get(f"{it.kernel}_smem_bytes")
        known = type(dynamic) is int and 0 <= dynamic < _MOST
        yield replace(
            it, kernel=kernel[1], at=(source, line[1]) if source is not None else None, group_size=size,
            variant=Variant(block_dim=size), dynamic_local=dynamic if known else None, language="warp",
            digest=kernel[2] if source is None else "",
        )  # fmt: skip


def _lines(code: bytes) -> Iterator[tuple[str, tuple[str, int]]]:
    """By the symbol, the function and the line of its `def`, which the generated code has in a comment."""
    symbol = ""
    for line in code.splitlines():
        if line.endswith(b"_cuda_kernel_forward("):
            symbol = line.split()[-1][:-1].decode("ascii", "replace")
        elif symbol and (found := _DEF.match(line)) is not None:
            number = _LINE.search(line, max(len(line) - _WIDTH, 0))
            if number is not None:
                yield symbol, (found[1].decode(), int(number[1]))
            symbol = ""


def _asked(metadata: bytes) -> dict[str, Any]:
    try:
        said = json.loads(metadata)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
