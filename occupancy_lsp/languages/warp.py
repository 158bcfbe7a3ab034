"""Warp: kernels in Python, of which NVIDIA's warp-lang generates CUDA."""

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
    from occupancy_lsp.languages.python.source import PythonSource
    from occupancy_lsp.languages.python.warp import resolve

    return PythonSource(content, dialect, resolve)


def _launched_in(file: Importing, kernel: str, name: str, macros: Mapping[str, int]) -> tuple[FarKernelLaunch, ...]:
    from occupancy_lsp.languages.python.warp import launched_in

    return launched_in(file, kernel, name)


WARP = Language(
    "warp",
    "Warp",
    dialects.WARP,
    suffixes=(".py",),
    units=(),
    editors=("python",),
    flags=(),
    run_by=("nvidia",),
    bounds="launch_bounds",
    needs=(b"import warp", b"from warp"),  # the word alone is in many files
    preprocessed=False,
    opts_in=True,
    sized_by="block_dim",
    resizes=False,
    comment="#",
    local_origin="added by Warp",
    read=_read,
    launched_in=_launched_in,
)
