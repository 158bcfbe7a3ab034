"""Compute shaders in HLSL, as Direct3D and Vulkan have them, and in Slang."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.compute_shader import compute_shader
from occupancy_lsp.source.lex import dialect

_SIZE = regex(rb"\[\s*(?:%b)\s*\(" % b"|".join(dialect.HLSL.calls))
_OTHERS = regex(rb"\b(?i:outputtopology)\b|\bDispatchMesh\b")

HLSL = compute_shader(
    "HLSL",
    dialect.HLSL,
    _SIZE,
    _OTHERS,
    suffixes=(".hlsl", ".hlsli", ".compute"),
    units=(".hlsl", ".compute"),
    sized_by="its numthreads",
)
SLANG = compute_shader(
    "Slang",
    dialect.SLANG,
    _SIZE,
    _OTHERS,
    suffixes=(".slang", ".slangh"),
    units=(".slang",),
    sized_by="its numthreads",
)
