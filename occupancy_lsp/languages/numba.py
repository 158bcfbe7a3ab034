"""Numba: kernels in Python, which Numba-CUDA compiles for NVIDIA's devices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from occupancy_lsp.languages.language import Language
from occupancy_lsp.source.text import dialects
from occupancy_lsp.source.text.dialects import Dialect

if TYPE_CHECKING:
    from occupancy_lsp.languages.python.importing import FarKernelLaunch, Importing
    from occupancy_lsp.source.kernel_text import KernelText


def _read(content: bytes, dialect: Dialect) -> KernelText:
    from occupancy_lsp.languages.python.numba import resolve
    from occupancy_lsp.languages.python.source import PythonSource

    return PythonSource(content, dialect, resolve)


def _launched_in(file: Importing, kernel: str, name: str, macros: Mapping[str, int]) -> tuple[FarKernelLaunch, ...]:
    from occupancy_lsp.languages.python.numba import launched_in

    return tuple(launched_in(file, kernel, name))


NUMBA = Language(
    "numba",
    "Numba",
    dialects.NUMBA,
    suffixes=(".py",),
    units=(),
    editors=("python",),
    flags=(),
    run_by=("nvidia",),
    bounds="launch_bounds",
    needs=(b"numba",),
    preprocessed=False,
    resizes=False,
    comment="#",
    read=_read,
    launched_in=_launched_in,
)
