"""What clang predefines for gfx90a, and what it may make of a kernel's local memory there."""

from __future__ import annotations

from occupancy_lsp.analysis.inputs import local
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.vendors.amd.arch import AmdArch
from tests.presets import CATALOGUE

MACROS = {"__AMDGCN__": 1, "__gfx90a__": 1, "__GFX9__": 1, "__HIP_DEVICE_COMPILE__": 1}


def most_on_gfx90a(given: Kernel, language: str = "hip") -> tuple[int, str]:
    """The most static bytes, and why that is more than the source says."""
    arch = CATALOGUE.architecture("gfx90a")
    assert isinstance(arch, AmdArch)
    found = local(arch, given, language, (), (), (), ())
    return found.static[1], found.reason
