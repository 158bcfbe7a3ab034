"""GLSL's compute shaders, as Vulkan and OpenGL have them."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.language import Language
from occupancy_lsp.source.lex import dialect

_SIZE = regex(rb"\blocal_size_[xyz]")
# Mesh and task shaders have such a size, too, and take local memory for what they hand on.
_OTHERS = regex(rb"\b(?:max_primitives|GL_(?:EXT|NV)_mesh_shader|EmitMeshTasksEXT)\b")


def _has_kernels(content: bytes) -> bool:
    return _SIZE.search(content) is not None and _OTHERS.search(content) is None


GLSL = Language(
    "glsl",
    "GLSL",
    dialect.GLSL,
    suffixes=(".comp", ".glsl"),
    units=(".comp", ".comp.glsl"),
    editors=("glsl",),
    flags=(),
    sized_by="its layout",
    resizes=False,  # the host counts groups of that size, out of sight
    by_driver=True,
    has_kernels=_has_kernels,
    sure=(".comp", ".comp.glsl"),
)
