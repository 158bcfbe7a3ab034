"""Sizes and alignments of types as CUDA lays them out (64-bit host, CUDA C++ Programming Guide, "Built-in Types")."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.dialect import (
    GLSL_TYPES,
    HLSL_TYPES,
    METAL_TYPES,
    OPENCL_TYPES,
    PADDED_TYPES,
    SLANG_TYPES,
    SYCL_TYPES,
    WGSL_TYPES,
)
from occupancy_lsp.source.syntax.integer_types import BOOL, CHAR, REAL, IntegerType


@dataclass(frozen=True, slots=True)
class Layout:
    """Bytes, and the alignment in bytes. `padded`: each element of an array begins as aligned as the first. In C++ one
    follows the other, also where a typedef aligns its type more strictly than its size is a multiple of."""

    size: int
    alignment: int
    padded: bool = False


_BYTES = {
    1: "bool char int8_t uint8_t uchar byte __nv_fp8_e4m3 __nv_fp8_e5m2",
    2: "short int16_t uint16_t ushort half __half _Float16 __bf16 nv_bfloat16 __nv_bfloat16 bfloat16",
    4: "int unsigned int32_t uint32_t uint float half2 __half2 nv_bfloat162 __nv_bfloat162",
    8: "int64_t uint64_t double size_t ptrdiff_t intptr_t uintptr_t",
}
_SCALARS = {name: size for size, names in _BYTES.items() for name in names.split()} | {
    "signed char": 1,
    "unsigned char": 1,
    "unsigned short": 2,
    "unsigned int": 4,
    "long long": 8,
    "unsigned long long": 8,
    "nullptr_t": 8,
    "wchar_t": 2 if os.name == "nt" else 4,
    "char8_t": 1,
    "char16_t": 2,
    "char32_t": 4,
    "__int128": 16,
    "unsigned __int128": 16,
    "barrier<cuda::thread_scope_block>": 8,
    "barrier<cuda::thread_scope::thread_scope_block>": 8,
    "barrier<thread_scope_block>": 8,
}
# `long` is as the platform has it: CUDA and HIP device code take the host's.
_LONG = 4 if os.name == "nt" else 8
_SCALARS |= dict.fromkeys(("long", "unsigned long", "ulong", "clock_t", "time_t"), _LONG)
_COMPLEX = {  # cuComplex.h, cufft.h, and HIP's of these
    "cuFloatComplex": "float2", "cuComplex": "float2", "cuDoubleComplex": "double2",
    "cufftReal": "float", "cufftDoubleReal": "double", "cufftComplex": "float2", "cufftDoubleComplex": "double2",
    "hipFloatComplex": "float2", "hipComplex": "float2", "hipDoubleComplex": "double2",
    "hipfftReal": "float", "hipfftDoubleReal": "double", "hipfftComplex": "float2", "hipfftDoubleComplex": "double2",
}  # fmt: skip
# PyTorch's (c10/util), under the names that its namespaces have for them.
_OF_TORCH = {"Half": 2, "BFloat16": 2, "Float8_e4m3fn": 1, "Float8_e5m2": 1, "Float8_e4m3fnuz": 1, "Float8_e5m2fnuz": 1}
_SCALARS |= {f"c10::{name}": size for name, size in _OF_TORCH.items()}
_ALIASES = {
    **{f"{space}::{name}": f"c10::{name}" for space in ("at", "torch") for name in _OF_TORCH},
    "int8_t": "signed char", "uint8_t": "unsigned char", "uchar": "unsigned char", "int16_t": "short",
    "uint16_t": "unsigned short", "ushort": "unsigned short", "int32_t": "int", "uint32_t": "unsigned int",
    "uint": "unsigned int", "unsigned": "unsigned int", "signed": "int", "half": "__half", "half2": "__half2",
    "nv_bfloat16": "__nv_bfloat16", "nv_bfloat162": "__nv_bfloat162", "size_t": "unsigned long",
    "int64_t": "long", "uint64_t": "unsigned long", "ptrdiff_t": "long", "ulong": "unsigned long",
    "bfloat16": "__nv_bfloat16", **_COMPLEX,
}  # fmt: skip
_VECTOR_BASES = {"char": 1, "short": 2, "int": 4, "float": 4, "long": _LONG, "longlong": 8, "double": 8}
_VECTOR = regex(r"(u?char|u?short|u?int|u?longlong|u?long|float|double)([1234])(?:_16a|_32a)?\Z")
_WORDS = frozenset(("signed", "unsigned", "long", "short", "int", "char", "double"))


def canonical_type_name(name: str) -> str:
    """`long unsigned int` and `unsigned long` are one type, as are `int32_t` and `int`."""
    plain = _canonical_word_order(name.removeprefix("cuda::").removeprefix("std::"))
    return _ALIASES.get(plain, plain)


def _canonical_word_order(name: str) -> str:
    """The words of a built-in type in the order that compilers print them."""
    words = name.split()
    if len(words) < 2 or not _WORDS.issuperset(words) or {"long", "double"}.issubset(words):
        return name
    sign = "unsigned " if "unsigned" in words else "signed " if "signed" in words and "char" in words else ""
    if words.count("long") == 2:
        return sign + "long long"
    base = next((w for w in ("char", "short", "long", "double") if w in words), "int")
    return (sign + base) if (sign + base) != "unsigned int" else "unsigned int"


def builtin_layout(name: str, types: str = "") -> Layout | None:
    """The layout of a built-in type; None if it is none, or differs between platforms. `types`: whose, as
    `Environment.builtins` has it."""
    if types:
        return _BUILT_IN[types](name)
    plain = _canonical_word_order(name.removeprefix("cuda::").removeprefix("std::"))
    plain = _COMPLEX.get(plain, plain)
    plain = _ALIASES.get(plain, plain) if plain.startswith(("at::", "torch::")) else plain
    if plain in _SCALARS:
        return Layout(_SCALARS[plain], _SCALARS[plain])
    match = _VECTOR.match(plain)
    if not match:
        return Layout(12, 4) if plain in ("dim3", "uint3") else None
    base, count = _VECTOR_BASES[match[1].removeprefix("u")], int(match[2])
    if count == 3:
        return Layout(3 * base, base)
    return Layout(base * count, min(base * count, 16))


_OF_ONE_MEANING = frozenset(("signed", "unsigned", "long", "short", "int", "char", "bool", "float", "double"))
_SIGNED = frozenset(("signed char", "short", "int", "long", "long long", "ptrdiff_t", "intptr_t", "clock_t", "time_t"))
_UNSIGNED = frozenset(
    f"{prefix}{name}" for prefix in ("u", "unsigned ") for name in ("char", "short", "int", "long", "long long")
) | {"unsigned", "size_t", "uintptr_t"}
_FRACTIONS = frozenset(("float", "double", "long double", "half", "__half", "__nv_bfloat16"))


@remembered(1024)
def keyword_type(name: str) -> IntegerType | None:
    """The arithmetic type that is written with keywords alone, which nothing in sight can make mean another."""
    return arithmetic_type_of(canonical_type_name(name), "") if _OF_ONE_MEANING.issuperset(name.split()) else None


def arithmetic_type_of(name: str, types: str) -> IntegerType | None:
    """The integer type of that canonical name, `REAL` of a floating-point one; None: it is neither."""
    if name in _FRACTIONS:
        return REAL
    if name == "bool":
        return BOOL
    if name == "char":
        return IntegerType(8, True) if types else CHAR
    laid = builtin_layout(name, types)
    if laid is None or name not in _SIGNED | _UNSIGNED:
        return None
    return IntegerType(8 * laid.size, name in _SIGNED)


_OPENCL_BASES = {
    "char": 1,
    "uchar": 1,
    "short": 2,
    "ushort": 2,
    "half": 2,
    "int": 4,
    "uint": 4,
    "float": 4,
    "long": 8,
    "ulong": 8,
    "double": 8,
    "bool": 1,
    **dict.fromkeys(("size_t", "ptrdiff_t", "intptr_t", "uintptr_t"), 8),
}
_OPENCL_WORDS = {"unsigned char": "uchar", "unsigned short": "ushort", "unsigned int": "uint", "unsigned": "uint"}
_OPENCL_VECTOR = regex(r"(u?char|u?short|u?int|u?long|half|float|double)(2|3|4|8|16)\Z")


def _opencl_layout(name: str) -> Layout | None:
    """OpenCL C, "Built-in Vector Data Types": three components take the room of four; addresses have 64 bits."""
    plain = _OPENCL_WORDS.get(name, name.replace("unsigned long", "ulong").removeprefix("signed "))
    if plain in _OPENCL_BASES:
        return Layout(_OPENCL_BASES[plain], _OPENCL_BASES[plain])
    match = _OPENCL_VECTOR.match(plain)
    if not match:
        return None
    size = _OPENCL_BASES[match[1]] * (4 if match[2] == "3" else int(match[2]))
    return Layout(size, size)


_METAL_BASES = {
    **{name: size for name, size in _OPENCL_BASES.items() if name != "double"},
    **dict.fromkeys(("int8_t", "uint8_t"), 1), **dict.fromkeys(("int16_t", "uint16_t", "bfloat"), 2),
    **dict.fromkeys(("int32_t", "uint32_t", "atomic_int", "atomic_uint", "atomic_bool", "atomic_float"), 4),
    **dict.fromkeys(("int64_t", "uint64_t", "atomic_ulong"), 8),
}  # fmt: skip
_METAL_TYPE = regex(
    r"(?P<packed>packed_)?(?P<base>u?char|u?short|u?int|u?long|half|bfloat|float|bool)(?P<columns>[234])(?:x(?P<rows>[234]))?\Z"
    r"|vec<\s*(?P<of>\w+)\s*,\s*(?P<count>[234])\s*>\Z|atomic<\s*(?P<atomic>\w+)\s*>\Z"
)


def _metal_layout(name: str) -> Layout | None:
    """Metal Shading Language Specification 3.2, 2.2 to 2.4: three components take the room of four, packed ones that of
    three; a matrix is its columns."""
    plain = _OPENCL_WORDS.get(name, name.replace("unsigned long", "ulong").removeprefix("signed "))
    plain = plain.removeprefix("metal::")
    if plain in _METAL_BASES:
        return Layout(_METAL_BASES[plain], _METAL_BASES[plain])
    said = _METAL_TYPE.match(plain)
    if said is None:
        return None
    if said["atomic"]:
        return _metal_layout(said["atomic"])
    base, count = _METAL_BASES.get(said["base"] or said["of"]), int(said["rows"] or said["columns"] or said["count"])
    if base is None or (said["rows"] and (said["packed"] or said["base"] not in ("half", "float", "bfloat"))):
        return None
    if said["packed"]:
        return Layout(base * count, base)
    vector = Layout(base * (4 if count == 3 else count), base * (4 if count == 3 else count))
    return _matrix_layout(int(said["columns"]), vector) if said["rows"] else vector


_SYCL_NAMESPACE = regex(r"(?:std::|(?:cl::)?sycl::)")
_SYCL_VECTOR = regex(
    r"(u?char|u?short|u?int|half|float|double)(2|3|4|8|16)\Z|vec<\s*([\w: ]+?)\s*,\s*(1|2|3|4|8|16)\s*>\Z"
)


def _sycl_layout(name: str) -> Layout | None:
    """C++ on the host's terms, and SYCL 2020, "Vector types": three components take the room of four."""
    plain = _SYCL_NAMESPACE.sub("", name, 1)
    plain = _canonical_word_order(plain)
    if plain in _SCALARS:
        return Layout(_SCALARS[plain], _SCALARS[plain])
    match = _SYCL_VECTOR.match(plain)
    component = _sycl_layout(match[1] or match[3]) if match is not None else None
    if match is None or component is None or component.size != component.alignment:
        return None
    count = int(match[2] or match[4])
    size = component.size * (4 if count == 3 else count)
    return Layout(size, min(size, 64))


_GLSL = {
    "bool": 4, "int": 4, "uint": 4, "float": 4, "double": 8, "int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2,
    "int32_t": 4, "uint32_t": 4, "int64_t": 8, "uint64_t": 8, "float16_t": 2, "float32_t": 4, "float64_t": 8,
    "bfloat16_t": 2,
}  # fmt: skip
_GLSL_PREFIXES = {
    "": 4, "b": 4, "i": 4, "u": 4, "d": 8, "i8": 1, "u8": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "i64": 8,
    "u64": 8, "f16": 2, "f32": 4, "f64": 8, "bf16": 2,
}  # fmt: skip
_GLSL_VECTOR = regex(r"([a-z]?[a-z]?\d{0,2})vec([234])\Z")
_GLSL_MATRIX = regex(r"(|d|f16|f32|f64)mat([234])(?:x([234]))?\Z")


@remembered(1024)
def _glsl_layout(name: str, padded: bool = False) -> Layout | None:
    """Of GLSL, and its extensions for explicit arithmetic types, in a work-group's memory, which drivers lay out. With
    Mesa 22.3.6: RADV aligns a vector as its components, Intel's anv (`padded`) one of two as two of them, of three or
    four as four. A bool takes 4 bytes in both."""
    if name in _GLSL:
        return Layout(_GLSL[name], _GLSL[name])
    if (vector := _GLSL_VECTOR.match(name)) is not None and vector[1] in _GLSL_PREFIXES:
        return _vector_layout(_GLSL_PREFIXES[vector[1]], int(vector[2]), padded)
    if (matrix := _GLSL_MATRIX.match(name)) is None:
        return None
    columns, rows = int(matrix[2]), int(matrix[3] or matrix[2])
    return _matrix_layout(columns, _vector_layout(_GLSL_PREFIXES[matrix[1]], rows, padded))


_HLSL_BYTES = {
    "bool": 4, "int": 4, "uint": 4, "dword": 4, "unsigned int": 4, "unsigned": 4, "float": 4, "double": 8,
    "int16_t": 2, "uint16_t": 2, "int32_t": 4, "uint32_t": 4, "int64_t": 8, "uint64_t": 8, "float16_t": 2,
    "float32_t": 4, "float64_t": 8,
}  # fmt: skip
# A half has 2 bytes or 4, as an option has it, and what begins with `min` as the device likes: they are none of these.
_HLSL_TYPE = regex(
    r"(?P<base>[a-z]+(?:\d\d?_t)?)(?:(?P<rows>[1-4])(?:x(?P<columns>[1-4]))?)?\Z"
    r"|(?:vector|matrix)<\s*(?P<of>[a-z]+(?:\d\d?_t)?)\s*,\s*(?P<first>[1-4])\s*(?:,\s*(?P<second>[1-4])\s*)?>\Z"
)


# In Slang the sizes of these do not hang on an option.
_SLANG_BYTES = {**_HLSL_BYTES, "half": 2, "uint8_t": 1, "int8_t": 1}


@remembered(1024)
def _hlsl_layout(name: str, sizes: str = HLSL_TYPES, padded: bool = False) -> Layout | None:
    """Of HLSL, in a work-group's memory, as `_glsl_layout`. DXC 3.7 makes `floatRxC` R vectors of C components, and so
    does slangc 2026.14."""
    scalars = _SLANG_BYTES if sizes == SLANG_TYPES else _HLSL_BYTES
    if name in scalars:
        return Layout(scalars[name], scalars[name])
    said = _HLSL_TYPE.match(name)
    component = scalars.get(said["base"] or said["of"]) if said is not None else None
    if said is None or component is None:
        return None
    rows, columns = int(said["rows"] or said["first"]), said["columns"] or said["second"]
    if columns is None:
        return _vector_layout(component, rows, padded)
    return _matrix_layout(rows, _vector_layout(component, int(columns), padded))


_WGSL_BYTES = {"bool": 4, "i32": 4, "u32": 4, "f32": 4, "f16": 2}
_WGSL_LETTERS = {"i": 4, "u": 4, "f": 4, "h": 2}  # behind a vector's name, for its components
_WGSL_TYPE = regex(
    r"(?P<kind>vec|mat)(?P<columns>[234])(?:x(?P<rows>[234]))?(?:<\s*(?P<of>bool|i32|u32|f32|f16)\s*,?\s*>|(?P<letter>[iufh]))\Z"
)
_ATOMIC = regex(r"atomic<\s*(?:i32|u32)\s*,?\s*>\Z")


@remembered(1024)
def _wgsl_layout(name: str, padded: bool = False) -> Layout | None:
    """Of WGSL, in a work-group's memory, as `_glsl_layout` (naga 25.0.1 and Mesa's drivers)."""
    if name in _WGSL_BYTES:
        return Layout(_WGSL_BYTES[name], _WGSL_BYTES[name])
    if _ATOMIC.match(name):
        return Layout(4, 4)
    said = _WGSL_TYPE.match(name)
    if said is None or (said["kind"] == "mat") != (said["rows"] is not None):
        return None
    component = _WGSL_BYTES[said["of"]] if said["of"] else _WGSL_LETTERS[said["letter"]]
    columns = int(said["columns"])
    if said["rows"] is None:
        return _vector_layout(component, columns, padded)
    return _matrix_layout(columns, _vector_layout(component, int(said["rows"]), padded))


def _vector_layout(component: int, count: int, padded: bool) -> Layout:
    return Layout(component * count, component * (4 if count == 3 else count) if padded else component, padded)


def _matrix_layout(count: int, vector: Layout) -> Layout:
    """Of so many vectors, the last one padded as the others are."""
    laid = array_layout(vector, count + 1)
    return replace(laid, size=laid.size - vector.size)


_BUILT_IN: Mapping[str, Callable[[str], Layout | None]] = {
    SYCL_TYPES: _sycl_layout,
    OPENCL_TYPES: _opencl_layout,
    METAL_TYPES: _metal_layout,
    GLSL_TYPES: _glsl_layout,
    PADDED_TYPES[GLSL_TYPES]: partial(_glsl_layout, padded=True),
    HLSL_TYPES: _hlsl_layout,
    PADDED_TYPES[HLSL_TYPES]: partial(_hlsl_layout, padded=True),
    WGSL_TYPES: _wgsl_layout,
    PADDED_TYPES[WGSL_TYPES]: partial(_wgsl_layout, padded=True),
    SLANG_TYPES: partial(_hlsl_layout, sizes=SLANG_TYPES),
    PADDED_TYPES[SLANG_TYPES]: partial(_hlsl_layout, sizes=SLANG_TYPES, padded=True),
}

POINTER = Layout(8, 8)
METHOD_POINTER = Layout(16, 8)  # to a member function: its address, and what to add to the object's
_MOST_ORDERED = 8  # variables whose orders are all tried


def round_up(size: int, unit: int) -> int:
    return -(-size // unit) * unit


def array_layout(element: Layout, count: int) -> Layout:
    """Of so many in a row; the last is not padded."""
    step = round_up(element.size, element.alignment) if element.padded else element.size
    return replace(element, size=step * (count - 1) + element.size if count else 0)


@remembered(512)
def _packing_extremes(given: tuple[Layout, ...]) -> tuple[int, int]:
    """The fewest and the most bytes that any order of these takes: of each subset, its nearest and furthest end."""
    nearest, furthest = [0], [0]
    for chosen in range(1, 1 << len(given)):
        last = [(it, chosen & ~(1 << index)) for index, it in enumerate(given) if chosen >> index & 1]
        nearest.append(min(round_up(nearest[others], it.alignment) + it.size for it, others in last))
        furthest.append(max(round_up(furthest[others], it.alignment) + it.size for it, others in last))
    return nearest[-1], furthest[-1]


def packed_size_bounds(variables: Iterable[Layout]) -> tuple[int, int]:
    """Fewest and most bytes that `variables` take side by side: the order is the compiler's choice."""
    given = tuple(variables)
    least = sum(it.size for it in given)
    strictest = max((it.alignment for it in given), default=1)
    if not any(it.size % strictest for it in given):
        return least, least  # no order can leave a gap
    if len(given) <= _MOST_ORDERED:
        return _packing_extremes(given)
    return least, sum(it.size + it.alignment - 1 for it in given)


def amd_packed_bytes(variables: Iterable[Layout]) -> int:
    """What AMD's compiler makes of `variables`: the larger, the more strictly aligned (LLVM, superAlignLDSGlobals);
    then each time, of those that leave the smallest gap, the most aligned and largest (LLVM, OptimizedStructLayout)."""
    left = sorted(
        (replace(it, alignment=amd_alignment(it)) for it in variables), key=lambda it: (-it.alignment, -it.size)
    )
    end = 0
    while left:
        nearest = min(left, key=lambda it: round_up(end, it.alignment))
        left.remove(nearest)
        end = round_up(end, nearest.alignment) + nearest.size
    return end


def amd_alignment(layout: Layout) -> int:
    return max(layout.alignment, next((unit for unit in (16, 8, 4, 2) if layout.size > unit // 2), 1))
