"""GLSL's compute shaders, as Vulkan and OpenGL have them."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.compute_shader import compute_shader
from occupancy_lsp.source.lex.dialect import GLSL_TYPES, LOCAL, SHADER, Annotations, Grammar, LocalMemoryRules

# Of what a name says besides its type: of a variable, a parameter or a block.
_WORDS = (
    b"in highp mediump lowp precise coherent readonly writeonly restrict uniform buffer"
    b" flat smooth noperspective invariant nonuniformEXT subroutine patch sample centroid workgroupcoherent"
    b" subgroupcoherent queuefamilycoherent devicecoherent shadercallcoherent nonprivate"
)
# What GLSL 4.60 and its extensions build in, and the constructors of types: none uses what a shader declares. Nor does
# a macro that whoever compiles it defines, such as a type's name.
_HARMLESS = regex(
    r"radians|degrees|a?(?:sin|cos|tan)h?|pow|exp2?|log2?|(?:inverse)?sqrt|abs|sign|floor|trunc|round(?:Even)?|ceil|fract|modf?"
    r"|min3?|max3?|mid3|clamp|mix|step|smoothstep|isnan|isinf|\w+BitsTo\w+|fma|frexp|ldexp|(?:un)?pack\w+|length|distance|dot|cross"
    r"|normalize|faceforward|reflect|refract|matrixCompMult|outerProduct|transpose|determinant|inverse"
    r"|(?:less|greater)Than(?:Equal)?|(?:not)?[eE]qual|any|all|not|[ui](?:add|sub|mul)(?:Carry|Borrow|Extended)|bit[A-Za-z]+|find[LM]SB"
    r"|tex(?:ture|el)\w+|texture|image\w+|atomic\w+|barrier|\w*[mM]emoryBarrier\w*|controlBarrier|subgroup\w+|dF\w+|fwidth\w*"
    r"|coop[mM]at\w*|coopVec\w*|cooperativeMatrix\w*|dotPacked\w+|dot\w+EXT|nonuniformEXT|debugPrintfEXT|rayQuery\w+|clock\w+"
    r"|all(?:Invocations)\w*|any(?:Invocation)\w*|\w*ballot\w*|read\w*Invocation\w*|shuffle\w*|interpolateAt\w+|bufferReference\w*"
    r"|\.length|bool|u?int|float|double|u?int(?:8|16|32|64)_t|b?float(?:16|32|64)_t"
    r"|(?:b|i|u|d|[iuf](?:8|16|32|64)|bf16)?vec[234]|(?:d|f16|f32|f64)?mat[234](?:x[234])?|[A-Z][A-Z0-9_]*"
)
_DIALECT = replace(
    SHADER,
    name="glsl",
    annotations=Annotations(
        {**{word: word.decode() for word in _WORDS.split()}, b"shared": LOCAL}, calls=(b"layout",), plain_words=True
    ),
    grammar=Grammar(GLSL_TYPES, raw_strings=False, entry=b"main"),
    local_memory=LocalMemoryRules(_HARMLESS, moves_arrays=False),
)

GLSL = compute_shader(
    "GLSL",
    _DIALECT,
    regex(rb"\blocal_size_[xyz]"),
    regex(rb"\b(?:max_primitives|GL_(?:EXT|NV)_mesh_shader|EmitMeshTasksEXT)\b"),
    suffixes=(".comp", ".glsl"),
    units=(".comp", ".comp.glsl"),
    sized_by="its layout",
    sure=(".comp", ".comp.glsl"),
)
