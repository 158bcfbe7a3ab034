"""Numba: kernels in Python, which Numba-CUDA compiles for NVIDIA's devices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from occupancy_lsp.languages.in_python import in_python
from occupancy_lsp.source.lex.dialect import Dialect, LocalMemoryRules

if TYPE_CHECKING:
    from occupancy_lsp.languages.python.importing import FarKernelLaunch, Importing
    from occupancy_lsp.languages.python.module import Found, Module


def _resolve(module: Module, device: Mapping[str, int]) -> Found:
    from occupancy_lsp.languages.python.numba import resolve  # which not every command needs

    return resolve(module, device)


def _launched_in(file: Importing, kernel: str, name: str, macros: Mapping[str, int]) -> tuple[FarKernelLaunch, ...]:
    from occupancy_lsp.languages.python.numba import launched_in

    return tuple(launched_in(file, kernel, name))


NUMBA = in_python(
    "Numba",
    Dialect("numba", local_memory=LocalMemoryRules(moves_arrays=False)),
    (b"numba",),
    _resolve,
    bounds="launch_bounds",
    launched_in=_launched_in,
)
