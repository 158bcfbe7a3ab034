"""TileLang: kernels in Python, of which TileLang generates CUDA and HIP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from occupancy_lsp.languages.in_python import in_python
from occupancy_lsp.source.lex.dialect import Dialect, LocalMemoryRules

if TYPE_CHECKING:
    from occupancy_lsp.languages.python.module import Found, Module


def _resolve(module: Module, device: Mapping[str, int]) -> Found:
    from occupancy_lsp.languages.python.tilelang import resolve  # which not every command needs

    return resolve(module, device)


TILELANG = in_python(
    "TileLang",
    Dialect("tilelang", local_memory=LocalMemoryRules(moves_arrays=False)),
    (b"tilelang",),
    _resolve,
    run_by=("nvidia", "amd"),
    bounds="threads",
    opts_in=True,
    signs=False,  # its cubins are like others
    sized_by="T.Kernel",
    local_origin="added by TileLang",
)
