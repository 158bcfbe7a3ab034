"""GLSL's compute shaders, as Vulkan and OpenGL have them."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.compute_shader import compute_shader
from occupancy_lsp.source.lex import dialect

GLSL = compute_shader(
    "GLSL",
    dialect.GLSL,
    regex(rb"\blocal_size_[xyz]"),
    regex(rb"\b(?:max_primitives|GL_(?:EXT|NV)_mesh_shader|EmitMeshTasksEXT)\b"),
    suffixes=(".comp", ".glsl"),
    units=(".comp", ".comp.glsl"),
    sized_by="its layout",
    sure=(".comp", ".comp.glsl"),
)
