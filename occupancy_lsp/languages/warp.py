"""Warp: kernels in Python, of which NVIDIA's warp-lang generates CUDA."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from occupancy_lsp.languages.in_python import in_python
from occupancy_lsp.source.lex.dialect import Dialect, LocalMemoryRules

if TYPE_CHECKING:
    from occupancy_lsp.languages.python.importing import FarKernelLaunch, Importing
    from occupancy_lsp.languages.python.module import Found, Module


def _resolve(module: Module, device: Mapping[str, int]) -> Found:
    from occupancy_lsp.languages.python.warp import resolve  # which not every command needs

    return resolve(module, device)


def _launched_in(file: Importing, kernel: str, name: str, macros: Mapping[str, int]) -> tuple[FarKernelLaunch, ...]:
    from occupancy_lsp.languages.python.warp import launched_in

    return launched_in(file, kernel, name)


WARP = in_python(
    "Warp",
    Dialect("warp", local_memory=LocalMemoryRules(moves_arrays=False)),
    (b"import warp", b"from warp"),  # the word alone is in many files
    _resolve,
    bounds="launch_bounds",
    opts_in=True,
    sized_by="block_dim",
    local_origin="added by Warp",
    launched_in=_launched_in,
)
