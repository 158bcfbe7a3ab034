"""Compute shaders in HLSL, as Direct3D and Vulkan have them, and in Slang."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.language import Language
from occupancy_lsp.source.lex import dialect

_SIZE = regex(rb"\[\s*(?:numthreads|NumThreads|Numthreads|NUMTHREADS)\s*\(")
# Mesh and amplification shaders have such a size, too, and take local memory for what they hand on.
_OTHERS = regex(rb"\b(?i:outputtopology)\b|\bDispatchMesh\b")


def _has_kernels(content: bytes) -> bool:
    return _SIZE.search(content) is not None and _OTHERS.search(content) is None


HLSL = Language(
    "hlsl",
    "HLSL",
    dialect.HLSL,
    suffixes=(".hlsl", ".hlsli", ".compute"),
    units=(".hlsl", ".compute"),
    editors=("hlsl",),
    flags=(),
    sized_by="its numthreads",
    resizes=False,  # the host counts groups of that size, out of sight
    by_driver=True,
    has_kernels=_has_kernels,
)

SLANG = Language(
    "slang",
    "Slang",
    dialect.SLANG,
    suffixes=(".slang", ".slangh"),
    units=(".slang",),
    editors=("slang",),
    flags=(),
    sized_by="its numthreads",
    resizes=False,
    by_driver=True,
    has_kernels=_has_kernels,
)
