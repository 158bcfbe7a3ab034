"""Sizes and alignments of types as CUDA lays them out (64-bit host, CUDA C++ Programming Guide, "Built-in Types")."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.syntax.integer_types import BOOL, CHAR, REAL, IntegerType


@dataclass(frozen=True, slots=True)
class Layout:
    """Bytes, and the alignment in bytes."""

    size: int
    alignment: int


_BYTES = {
    1: "bool char int8_t uint8_t uchar byte __nv_fp8_e4m3 __nv_fp8_e5m2",
    2: "short int16_t uint16_t ushort half __half nv_bfloat16 __nv_bfloat16 bfloat16",
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
_ALIASES = {
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
    plain = _sorted_words(name.removeprefix("cuda::").removeprefix("std::"))
    return _ALIASES.get(plain, plain)


def _sorted_words(name: str) -> str:
    """The words of a built-in type in the order that compilers print them."""
    words = name.split()
    if len(words) < 2 or not _WORDS.issuperset(words) or {"long", "double"}.issubset(words):
        return name
    sign = "unsigned " if "unsigned" in words else "signed " if "signed" in words and "char" in words else ""
    if words.count("long") == 2:
        return sign + "long long"
    base = next((w for w in ("char", "short", "long", "double") if w in words), "int")
    return (sign + base) if (sign + base) != "unsigned int" else "unsigned int"


def builtin_layout(name: str, opencl: bool = False) -> Layout | None:
    """The layout of a built-in type; None if it is none, or differs between platforms."""
    if opencl:
        return _opencl(name)
    plain = _sorted_words(name.removeprefix("cuda::").removeprefix("std::"))
    plain = _COMPLEX.get(plain, plain)
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
    return arithmetic_type_of(canonical_type_name(name), False) if _OF_ONE_MEANING.issuperset(name.split()) else None


def arithmetic_type_of(name: str, opencl: bool) -> IntegerType | None:
    """The integer type of that canonical name, `REAL` of a floating-point one; None: it is neither."""
    if name in _FRACTIONS:
        return REAL
    if name == "bool":
        return BOOL
    if name == "char":
        return IntegerType(8, True) if opencl else CHAR
    laid = builtin_layout(name, opencl)
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


def _opencl(name: str) -> Layout | None:
    """OpenCL C, "Built-in Vector Data Types": three components take the room of four; addresses have 64 bits."""
    plain = _OPENCL_WORDS.get(name, name.replace("unsigned long", "ulong").removeprefix("signed "))
    if plain in _OPENCL_BASES:
        return Layout(_OPENCL_BASES[plain], _OPENCL_BASES[plain])
    match = _OPENCL_VECTOR.match(plain)
    if not match:
        return None
    size = _OPENCL_BASES[match[1]] * (4 if match[2] == "3" else int(match[2]))
    return Layout(size, size)


POINTER = Layout(8, 8)
METHOD_POINTER = Layout(16, 8)  # to a member function: its address, and what to add to the object's
_MOST_ORDERED = 8  # variables whose orders are all tried


def round_up(size: int, unit: int) -> int:
    return -(-size // unit) * unit


@remembered(512)
def _packing_extremes(given: tuple[Layout, ...]) -> tuple[int, int]:
    """The fewest and the most bytes that any order of these takes: of each subset, its nearest and furthest end."""
    nearest, furthest = [0], [0]
    for chosen in range(1, 1 << len(given)):
        last = [(it, chosen & ~(1 << index)) for index, it in enumerate(given) if chosen >> index & 1]
        nearest.append(min(round_up(nearest[others], it.alignment) + it.size for it, others in last))
        furthest.append(max(round_up(furthest[others], it.alignment) + it.size for it, others in last))
    return nearest[-1], furthest[-1]


def packed_bounds(variables: Iterable[Layout]) -> tuple[int, int]:
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
