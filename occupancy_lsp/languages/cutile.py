"""cuTile: kernels in Python that work on tiles, for which NVIDIA's compiler chooses threads and shared memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from occupancy_lsp.languages.language import Language
from occupancy_lsp.source.text import dialects
from occupancy_lsp.source.text.dialects import Dialect

if TYPE_CHECKING:
    from occupancy_lsp.source.kernel_text import KernelText


def _read(content: bytes, dialect: Dialect) -> KernelText:
    from occupancy_lsp.languages.python.cutile import resolve
    from occupancy_lsp.languages.python.source import PythonSource

    return PythonSource(content, dialect, resolve)


CUTILE = Language(
    "cutile",
    "cuTile",
    dialects.CUTILE,
    suffixes=(".py",),
    units=(),
    editors=("python",),
    flags=(),
    run_by=("nvidia",),
    needs=(b"cuda.tile", b"cuda import tile"),
    preprocessed=False,
    opts_in=True,
    sized_by="the compiler",
    resizes=False,
    comment="#",
    asks_groups="occupancy",
    read=_read,
)
