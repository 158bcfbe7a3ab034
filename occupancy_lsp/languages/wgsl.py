"""WGSL's compute shaders, as WebGPU has them."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.language import Language
from occupancy_lsp.source.lex import dialect

_SIZE = regex(rb"@\s*workgroup_size\b")


def _has_kernels(content: bytes) -> bool:
    return _SIZE.search(content) is not None


WGSL = Language(
    "wgsl",
    "WGSL",
    dialect.WGSL,
    suffixes=(".wgsl",),
    units=(".wgsl",),
    editors=("wgsl",),
    flags=(),
    sized_by="its workgroup_size",
    resizes=False,  # the host counts groups of that size, out of sight
    by_driver=True,
    has_kernels=_has_kernels,
)
