"""The compilers that tests ask: clang of the development extra, whatever else is installed, and the machine's nvcc."""

from __future__ import annotations

from functools import cache

from occupancy_lsp.compile.assembly import HEADERS
from occupancy_lsp.compile.toolchains import Machine, Toolchain, find_clang, find_nvcc

HERE = Machine.here()
WHEELS = Machine({"PATH": "/usr/bin:/bin"}, HERE.site, ())  # where nothing but the development extra is found


@cache
def clang() -> Toolchain:
    return next(find_clang(WHEELS, None))


@cache
def for_hip() -> tuple[str, ...]:
    """What `clang` needs in place of ROCm's headers and libraries."""
    return "-nogpuinc", "-nogpulib", "-I", str(HEADERS), "-include", "hip/hip_runtime.h", *clang().headers


@cache
def nvcc() -> tuple[str, ...]:
    """What starts it. StopIteration: there is none, as on macOS."""
    return next(find_nvcc(HERE, None)).start
