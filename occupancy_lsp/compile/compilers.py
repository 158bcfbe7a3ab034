"""Which compiler says what kernels use, by the device's vendor and the language. A new one is its module, and its name
here."""

from __future__ import annotations

from occupancy_lsp.compile import cuda, hip, ocloc, opencl
from occupancy_lsp.compile.request import Compile

COMPILERS: dict[tuple[str, str], Compile] = {
    ("nvidia", "cuda"): cuda.compile_found,
    ("amd", "hip"): hip.compile_found,
    ("amd", "opencl"): opencl.compile_found,
    ("intel", "opencl"): ocloc.compile_found,
}
