"""WGSL's compute shaders, as WebGPU has them."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.compute_shader import compute_shader
from occupancy_lsp.source.lex import dialect

WGSL = compute_shader(
    "WGSL",
    dialect.WGSL,
    regex(rb"@\s*workgroup_size\b"),
    suffixes=(".wgsl",),
    units=(".wgsl",),
    sized_by="its workgroup_size",
)
