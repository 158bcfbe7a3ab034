"""Triton: kernels in Python, which Triton compiles for NVIDIA's devices and AMD's."""

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
    from occupancy_lsp.languages.python.triton import resolve

    return PythonSource(content, dialect, resolve)


def _launched_in(file: Importing, kernel: str, name: str, macros: Mapping[str, int]) -> tuple[FarKernelLaunch, ...]:
    from occupancy_lsp.languages.python.triton import launched_in

    return launched_in(file, kernel, name, macros)


def _specialising(content: bytes) -> frozenset[str]:
    from occupancy_lsp.languages.python.triton import specialising

    return specialising(content)


TRITON = Language(
    "triton",
    "Triton",
    dialects.TRITON,
    suffixes=(".py",),
    units=(),
    editors=("python",),
    flags=(),
    run_by=("nvidia", "amd"),
    needs=(b"triton",),
    preprocessed=False,
    opts_in=True,
    sized_by="num_warps",
    resizes=False,
    comment="#",
    read=_read,
    launched_in=_launched_in,
    specialising=_specialising,
)
