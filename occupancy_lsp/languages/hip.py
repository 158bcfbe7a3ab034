"""HIP: CUDA C++ for AMD's devices, and for NVIDIA's."""

from __future__ import annotations

from collections.abc import Set

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.language import Language
from occupancy_lsp.source.lex import dialect

_INCLUDE = regex(rb"#[ \t]*include\b[ \t]*([^\n]*)")
_HARMLESS = regex(rb"<(?:hip/hip_runtime\.h|[a-z_]+)>\s*")  # HIP's own, and C++'s
_TELLS = regex(rb"(?i)__HIP|__CUDA|__NV|__AMD|__gfx|warpSize")


def _reads_alike(content: bytes, macros: Set[str]) -> bool:
    return not _TELLS.search(content) and all(map(_HARMLESS.fullmatch, _INCLUDE.findall(content)))


HIP = Language(
    "hip",
    "HIP",
    dialect.HIP,
    suffixes=(".hip", ".hip.cpp"),
    units=(".hip",),
    editors=("hip",),
    flags=("hip",),
    run_by=("amd", "nvidia"),
    marks=(b"hip/hip_runtime.h",),
    launch_bounds=True,
    headers=regex(r"hip/"),
    opting_in="hipFuncSetAttribute(reinterpret_cast<const void*>({kernel}), "
    "hipFuncAttributeMaxDynamicSharedMemorySize, {bytes});",
    reads_alike=_reads_alike,
)
