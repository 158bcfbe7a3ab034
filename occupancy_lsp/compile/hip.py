"""HIP: clang makes AMD's assembly of the device's half of the source, which says what each kernel uses.

With ROCm's headers and device library where they are installed; else with a small header of our own, which has what
comes to the same instructions without them.
"""

from __future__ import annotations

import os
from pathlib import Path

from occupancy_lsp.compile.arguments import flags_of_clang
from occupancy_lsp.compile.assembly import HEADERS, Assembler, clang_for_amd
from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.store import Store
from occupancy_lsp.compile.toolchains import Machine, Toolchain, rocm
from occupancy_lsp.core.problem import Problem

_OURS = ["-nogpuinc", "-nogpulib", "-I", str(HEADERS), "-include", "hip/hip_runtime.h"]


def compile_found(request: Request, machine: Machine, store: Store) -> Path | Problem | str:
    """With the clang of this machine."""
    clang = clang_for_amd(request, machine, store)
    return clang if isinstance(clang, str) else compile_hip(request, clang, machine, store)


def compile_hip(request: Request, clang: Toolchain, machine: Machine, store: Store) -> Path | Problem:
    """The assembly."""
    flags = flags_of_clang(request.arguments)
    options = ["-x", "hip", "--cuda-device-only", "-ferror-limit=0", f"--offload-arch={_target(request)}", *flags]
    if not any(it.startswith("-O") for it in flags) and _by_hipcc(request):
        options.append("-O3")
    installed = None if clang.wheel else rocm(machine, request.root)
    if installed is not None:
        options.append(f"--rocm-path={installed}")
    else:
        # Our header reads a group's size where this version has it.
        version = [] if any(it.startswith("-mcode-object") for it in flags) else ["-mcode-object-version=5"]
        options += [*_OURS, *version, *clang.headers]
    return Assembler(request, clang, store).run(options)


def _target(request: Request) -> str:
    """With its features (`gfx90a:xnack-`) as the project builds it for this device."""
    wanted = request.device.arch.id
    return next((it for it in request.arguments.offload if it.partition(":")[0] == wanted), wanted)


def _by_hipcc(request: Request) -> bool:
    """Which optimises where nothing is said. clang does not."""
    return request.program is None or os.path.basename(request.program).startswith("hipcc")
