"""CUDA C++."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.language import Language
from occupancy_lsp.source.lex import dialect

CUDA = Language(
    "cuda",
    "CUDA",
    dialect.CUDA,
    suffixes=(".cu", ".cuh"),
    units=(".cu",),
    editors=("cuda", "cuda-cpp"),
    flags=("cu", "cuda"),
    run_by=("nvidia",),
    marks=(b"__global__",),
    launch_bounds=True,
    headers=regex(r"(?:cuda|cuda_runtime|cuda_runtime_api|device_launch_parameters)\.h\Z"),
    becomes="hip",
    opting_in="cudaFuncSetAttribute({kernel}, cudaFuncAttributeMaxDynamicSharedMemorySize, {bytes});",
)
