"""What names mean where they stand, held against the sizes that nvcc 13.0 gives arrays of them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from occupancy_lsp.source.source import Source
from occupancy_lsp.source.text.dialects import CUDA

_DATA = Path(__file__).parent.parent / "data" / "nvcc" / "name_lookup.txt"
_PARTS = re.compile(r"^=== (\w+)\n(.*?)(?=^=== |\Z)", re.MULTILINE | re.DOTALL)
_CLAIM = re.compile(r"^// (\w+) (\d+)$", re.MULTILINE)
_FILES = {match[1]: match[2] for match in _PARTS.finditer(_DATA.read_text())}
# Inline namespaces, aliases of namespaces, members reached by way of directives, and what is declared twice.
_OPEN = {
    *("k_a12_1", "k_a13_0", "k_a15_0", "k_a15_1", "k_a29_2", "k_a43_2", "k_a44_1", "k_a55_1"),
}  # fmt: skip


@cache
def _most(name: str) -> dict[str, int | None]:
    text = f'#define KEEP(x) asm volatile("" :: "l"(&(x)))\n{_FILES[name]}'
    kernels = Source(text.encode(), CUDA).facts({"__CUDA_ARCH__": 900}).kernels
    return {it.name.rsplit("::", 1)[-1]: it.local.highest for it in kernels}


@pytest.mark.parametrize(
    ("file", "kernel", "size"),
    [(name, kernel, int(size)) for name, text in _FILES.items() for kernel, size in _CLAIM.findall(text)],
)
def test_a_name_means_what_the_compiler_takes_it_for(file: str, kernel: str, size: int) -> None:
    assert _most(file)[kernel] == (None if kernel in _OPEN else size)
