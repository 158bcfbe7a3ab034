"""CuTe DSL: kernels in Python, which CUTLASS compiles for NVIDIA's devices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from occupancy_lsp.languages.in_python import in_python
from occupancy_lsp.source.lex.dialect import Dialect, LocalMemoryRules

if TYPE_CHECKING:
    from occupancy_lsp.languages.python.module import Found, Module


def _resolve(module: Module, device: Mapping[str, int]) -> Found:
    from occupancy_lsp.languages.python.cute import resolve  # which not every command needs

    return resolve(module, device)


CUTE = in_python(
    "CuTe DSL",
    Dialect("cute", local_memory=LocalMemoryRules(moves_arrays=False)),
    (b"cutlass.cute", b"cutlass import cute"),
    _resolve,
    opts_in=True,
)
