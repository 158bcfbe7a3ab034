"""WGSL's compute shaders, as WebGPU has them."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.compute_shader import compute_shader
from occupancy_lsp.source.lex.dialect import SHADER, WGSL_TYPES, Annotations, Grammar, LocalMemoryRules

# What WGSL builds in: none uses what a shader declares but what it is given.
_HARMLESS = regex(
    r"abs|a?(?:sin|cos|tan)h?|atan2|ceil|clamp|cross|degrees|determinant|distance|dot\w*|exp2?|faceForward|floor|fma|fract|frexp"
    r"|inverseSqrt|ldexp|length|log2?|max|min|mix|modf|normalize|pow|quantizeToF16|radians|reflect|refract|round|saturate|sign"
    r"|smoothstep|sqrt|step|transpose|trunc|all|any|select|arrayLength|bitcast|count\w+|reverseBits|extractBits|insertBits"
    r"|first(?:Leading|Trailing)Bit|(?:un)?pack\w+|texture\w+|atomic\w+|dpd[xy]\w*|fwidth\w*|\w+Barrier|workgroupUniformLoad"
    r"|subgroup\w+|quad\w+|rayQuery\w+|Ray(?:Desc|Intersection)|get(?:Committed|Candidate)\w+|bool|[iuf](?:16|32|64)|vec[234]\w?|mat[234]x[234]\w?|array|vec[234]|mat[234]x[234]"
)
_DIALECT = replace(
    SHADER,
    name="wgsl",
    annotations=Annotations(calls=(b"workgroup_size",), kernel_calls=frozenset((b"workgroup_size",)), plain_words=True),
    grammar=Grammar(WGSL_TYPES, raw_strings=False, sizes_by_macro=True, names_first=True),
    local_memory=LocalMemoryRules(_HARMLESS, moves_arrays=False, splits_variables=True),
)

WGSL = compute_shader(
    "WGSL",
    _DIALECT,
    regex(rb"@\s*workgroup_size\b"),
    suffixes=(".wgsl",),
    units=(".wgsl",),
    sized_by="its workgroup_size",
)
