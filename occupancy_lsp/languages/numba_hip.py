"""Numba-HIP: kernels in Python for Numba's dialect, which numba-hip compiles for AMD's devices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from occupancy_lsp.languages.in_python import in_python
from occupancy_lsp.source.lex.dialect import Dialect

if TYPE_CHECKING:
    from occupancy_lsp.languages.python.importing import FarKernelLaunch, Importing
    from occupancy_lsp.languages.python.module import Found, Module


def _resolve(module: Module, device: Mapping[str, int]) -> Found:
    from occupancy_lsp.languages.python.numba_hip import resolve  # which not every command needs

    return resolve(module)


def _launched_in(file: Importing, kernel: str, name: str, macros: Mapping[str, int]) -> tuple[FarKernelLaunch, ...]:
    from occupancy_lsp.languages.python.numba import launched_in

    return tuple(launched_in(file, kernel, name))


NUMBA_HIP = in_python(
    "Numba-HIP",
    Dialect("numba-hip"),
    (b"hip.jit", b"numba.hip", b"numba import hip", b"pose_as_cuda"),
    _resolve,
    run_by=("amd",),
    launched_in=_launched_in,
)
