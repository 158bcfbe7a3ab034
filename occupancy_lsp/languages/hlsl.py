"""Compute shaders in HLSL, as Direct3D and Vulkan have them, and in Slang."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.compute_shader import compute_shader
from occupancy_lsp.source.lex.dialect import (
    HLSL_TYPES,
    LOCAL,
    NUMTHREADS,
    SHADER,
    SLANG_TYPES,
    Annotations,
    Grammar,
    LocalMemoryRules,
)

# Of what a name says besides its type: of a variable, a parameter or a member.
_WORDS = (
    b"in uniform precise globallycoherent reordercoherent row_major column_major nointerpolation linear centroid"
    b" noperspective sample unorm snorm export point line triangle"
)
# What HLSL builds in (its intrinsic functions up to shader model 6.8, and the constructors of types): none uses what a
# shader declares. Nor does a macro that whoever compiles it defines.
_HARMLESS = regex(
    r"abort|abs|all|any|a?(?:sin|cos|tan)h?|atan2|sincos|ceil|clamp|clip|cross|countbits|dd[xy](?:_coarse|_fine)?|degrees"
    r"|determinant|distance|dot\w*|dst|errorf|exp2?|faceforward|firstbit(?:high|low)|floor|fma|fmod|frac|frexp|fwidth"
    r"|f16tof32|f32tof16|as(?:float|int|uint|double|float16|int16|uint16)|is(?:finite|inf|nan|normal)|ldexp|length|lerp|lit"
    r"|log(?:2|10)?|mad|max|min|modf|msad4|mul|noise|normalize|pow|printf|radians|rcp|reflect|refract|reversebits|round|rsqrt"
    r"|saturate|sign|smoothstep|sqrt|step|tex[123CD]\w*|transpose|trunc|select|and|or|(?:un)?pack_\w+|CheckAccessFullyMapped"
    r"|Interlocked\w+|\w*MemoryBarrier\w*|Barrier|Wave\w+|Quad\w+|NonUniformResourceIndex|GetRenderTargetSample\w*"
    r"|EvaluateAttribute\w*|Process\w+TessFactors\w*|D3DCOLORtoUBYTE4"
    r"|\.(?:Load\w*|Store\w*|Sample\w*|Gather\w*|Get\w+|Interlocked\w+|CalculateLevelOfDetail\w*|Append|Consume"
    r"|IncrementCounter|DecrementCounter|Restart\w*|TraceRayInline|Proceed|Commit\w*|Candidate\w*|Committed\w*)"
    r"|(?:bool|u?int|dword|half|float|double|min(?:10|16)float|min(?:12|16)int|min16uint|u?int(?:16|32|64)_t|float(?:16|32|64)_t)"
    r"(?:[1-4](?:x[1-4])?)?|vector|matrix|[A-Z][A-Z0-9_]*"
)
_HLSL = replace(
    SHADER,
    name="hlsl",
    annotations=Annotations(
        {**{word: word.decode() for word in _WORDS.split()}, b"groupshared": LOCAL},
        calls=NUMTHREADS,
        kernel_calls=frozenset(NUMTHREADS),
        plain_words=True,
    ),
    grammar=Grammar(HLSL_TYPES, raw_strings=False, sizes_by_macro=True, bracketed=True, static_constants=True),
    local_memory=LocalMemoryRules(_HARMLESS, moves_arrays=False, splits_variables=True),
)
# Slang is HLSL with modules. Its compiler warns of the attribute in capitals, and makes 1x1x1 of it.
_SLANG_WORDS = (b"public", b"internal", b"private", b"no_diff")
_SLANG = replace(
    _HLSL,
    name="slang",
    annotations=replace(
        _HLSL.annotations,
        words={**_HLSL.annotations.words, **{it: it.decode() for it in _SLANG_WORDS}},
        calls=NUMTHREADS[:2],
        kernel_calls=frozenset(NUMTHREADS[:2]),
    ),
    grammar=replace(_HLSL.grammar, builtins=SLANG_TYPES),
)

_SIZE = regex(rb"\[\s*(?:%b)\s*\(" % b"|".join(NUMTHREADS))
_OTHERS = regex(rb"\b(?i:outputtopology)\b|\bDispatchMesh\b")

HLSL = compute_shader(
    "HLSL",
    _HLSL,
    _SIZE,
    _OTHERS,
    suffixes=(".hlsl", ".hlsli", ".compute"),
    units=(".hlsl", ".compute"),
    sized_by="its numthreads",
)
SLANG = compute_shader(
    "Slang",
    _SLANG,
    _SIZE,
    _OTHERS,
    suffixes=(".slang", ".slangh"),
    units=(".slang",),
    sized_by="its numthreads",
)
