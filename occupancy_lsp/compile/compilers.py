"""Which compiler says what kernels use, by the device's vendor and the language. A new one is its module, and its name
here."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from occupancy_lsp.compile import cuda, hip, ocloc, opencl
from occupancy_lsp.compile.assembly import clang_for_amd
from occupancy_lsp.compile.request import Compile, Request
from occupancy_lsp.compile.store import Store
from occupancy_lsp.compile.toolchains import Machine, Toolchain, find_clang, find_nvcc, find_ocloc, host_compiler
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.workspace.cmake.commands import Entries

COMPILERS: dict[tuple[str, str], Compile] = {
    ("nvidia", "cuda"): cuda.compile_found,
    ("amd", "hip"): hip.compile_found,
    ("amd", "opencl"): opencl.compile_found,
    ("intel", "opencl"): ocloc.compile_found,
}
# What the preprocessor makes of a source.
EXPAND: dict[tuple[str, str], Callable[[Request, Machine, Store], bytes]] = {("nvidia", "cuda"): cuda.expanded}
# CMake's variables of the toolkit that has the compiler.
TOOLKIT: dict[tuple[str, str], Callable[[Request, Machine, Store], Entries]] = {("nvidia", "cuda"): cuda.toolkit}
# What compiling would start; or why there is nothing.
FIND: dict[tuple[str, str], Callable[[Request, Machine, Store], Toolchain | str]] = {
    ("nvidia", "cuda"): cuda.find,
    ("amd", "hip"): clang_for_amd,
    ("amd", "opencl"): clang_for_amd,
    ("intel", "opencl"): ocloc.find,
}
_PROGRAMS: dict[tuple[str, str], Callable[[Machine, Path | None], Iterator[Toolchain]]] = {
    ("nvidia", "cuda"): find_nvcc,
    ("amd", "hip"): find_clang,
    ("amd", "opencl"): find_clang,
    ("intel", "opencl"): find_ocloc,
}
_WHEELS = {("nvidia", "cuda"): "nvidia"}  # that need a C++ compiler beside them; there are none for macOS


@dataclass(frozen=True, slots=True)
class Offer:
    """`compiler`: a program that may compile it, "" if there is none. `wheels`: whose would bring one; "": nobody's."""

    compiler: str
    wheels: str


def offer(vendor: str, language: str, machine: Machine, root: Path | None) -> Offer:
    """What there is to compile the language for the vendor's devices. Starts nothing."""
    key = vendor, language
    found = next(_PROGRAMS[key](machine, root), None) if key in _PROGRAMS else None
    if key not in _WHEELS:
        return Offer(found.start[0] if found else "", "")
    if host_compiler(machine, root) is None:
        return Offer("", "")
    return Offer(found.start[0] if found else "", _WHEELS[key] if sys.platform in ("linux", "win32") else "")
