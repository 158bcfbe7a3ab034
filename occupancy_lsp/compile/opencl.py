"""OpenCL on AMD's devices: clang makes assembly, as for HIP, of the whole file."""

from __future__ import annotations

from pathlib import Path

from occupancy_lsp.compile.arguments import flags_of_clang
from occupancy_lsp.compile.assembly import HEADERS, Assembler, clang_for_amd
from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.store import Store
from occupancy_lsp.compile.toolchains import Machine, Toolchain, rocm
from occupancy_lsp.core.problem import Problem

_OURS = ["-nogpulib", "-nostdinc", "-cl-no-stdinc", "-include", str(HEADERS / "opencl.h")]


def compile_found(request: Request, machine: Machine, store: Store) -> Path | Problem | str:
    """With the clang of this machine."""
    clang = clang_for_amd(request, machine, store)
    return clang if isinstance(clang, str) else compile_opencl(request, clang, machine, store)


def compile_opencl(request: Request, clang: Toolchain, machine: Machine, store: Store) -> Path | Problem:
    """The assembly."""
    flags = [it for it in flags_of_clang(request.arguments) if not it.startswith("-std=")]
    options = ["-x", "cl", "--target=amdgcn-amd-amdhsa", f"-mcpu={request.device.arch.id}", *flags]
    if not any(it.startswith("-O") or it == "-cl-opt-disable" for it in flags):
        options.append("-O3")  # as AMD's driver does it
    installed = None if clang.wheel else rocm(machine, request.root)
    if installed is not None:
        options.append(f"--rocm-path={installed}")
    else:
        version = [] if any(it.startswith("-mcode-object") for it in flags) else ["-mcode-object-version=5"]
        options += [*_OURS, *version]
    return Assembler(request, clang, store).run(options)
