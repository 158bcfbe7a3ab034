"""Triton: kernels in Python, which Triton compiles for NVIDIA's devices and AMD's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from occupancy_lsp.languages.in_python import in_python
from occupancy_lsp.source.lex.dialect import Dialect, LocalMemoryRules

if TYPE_CHECKING:
    from occupancy_lsp.languages.python.importing import FarKernelLaunch, Importing
    from occupancy_lsp.languages.python.module import Found, Module


def _resolve(module: Module, device: Mapping[str, int]) -> Found:
    from occupancy_lsp.languages.python.triton import resolve  # which not every command needs

    return resolve(module, device)


def _launched_in(file: Importing, kernel: str, name: str, macros: Mapping[str, int]) -> tuple[FarKernelLaunch, ...]:
    from occupancy_lsp.languages.python.triton import launched_in

    return launched_in(file, kernel, name, macros)


def _specialising(content: bytes) -> frozenset[str]:
    from occupancy_lsp.languages.python.triton import specialising

    return specialising(content)


TRITON = in_python(
    "Triton",
    Dialect("triton", local_memory=LocalMemoryRules(moves_arrays=False)),
    (b"triton",),
    _resolve,
    run_by=("nvidia", "amd"),
    opts_in=True,
    signs=False,  # its cubins are like others but for the file beside them
    sized_by="num_warps",
    launched_in=_launched_in,
    specialising=_specialising,
)
