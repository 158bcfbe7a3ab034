"""CuTe DSL: kernels in Python, which CUTLASS compiles for NVIDIA's devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from occupancy_lsp.languages.language import Language
from occupancy_lsp.source.text import dialects
from occupancy_lsp.source.text.dialects import Dialect

if TYPE_CHECKING:
    from occupancy_lsp.source.kernel_text import KernelText


def _read(content: bytes, dialect: Dialect) -> KernelText:
    from occupancy_lsp.languages.python.cute import resolve
    from occupancy_lsp.languages.python.source import PythonSource

    return PythonSource(content, dialect, resolve)


CUTE = Language(
    "cute",
    "CuTe DSL",
    dialects.CUTE,
    suffixes=(".py",),
    units=(),
    editors=("python",),
    flags=(),
    run_by=("nvidia",),
    needs=(b"cutlass.cute", b"cutlass import cute"),
    preprocessed=False,
    opts_in=True,
    resizes=False,
    comment="#",
    read=_read,
)
