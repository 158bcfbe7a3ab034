"""OpenCL C."""

from __future__ import annotations

from occupancy_lsp.languages.language import Language
from occupancy_lsp.source.text import dialects

OPENCL = Language(
    "opencl",
    "OpenCL",
    dialects.OPENCL,
    suffixes=(".cl", ".clh", ".ocl", ".opencl"),
    units=(".cl", ".opencl"),
    editors=("opencl",),
    flags=("cl", "clcpp"),
)
