"""cuTile: kernels in Python that work on tiles, for which NVIDIA's compiler chooses threads and shared memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from occupancy_lsp.languages.in_python import in_python
from occupancy_lsp.source.lex.dialect import Dialect, LocalMemoryRules

if TYPE_CHECKING:
    from occupancy_lsp.languages.python.module import Found, Module


def _resolve(module: Module, device: Mapping[str, int]) -> Found:
    from occupancy_lsp.languages.python.cutile import resolve  # which not every command needs

    return resolve(module, device)


CUTILE = in_python(
    "cuTile",
    Dialect("cutile", local_memory=LocalMemoryRules(moves_arrays=False)),
    (b"cuda.tile", b"cuda import tile"),
    _resolve,
    opts_in=True,
    sized_by="the compiler",
    asks_groups="occupancy",
)
