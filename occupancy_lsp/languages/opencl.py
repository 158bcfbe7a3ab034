"""OpenCL C."""

from __future__ import annotations

from occupancy_lsp.languages.language import Language
from occupancy_lsp.source.lex import dialect

OPENCL = Language(
    "opencl",
    "OpenCL",
    dialect.OPENCL,
    suffixes=(".cl", ".clh", ".ocl", ".opencl"),
    units=(".cl", ".opencl"),
    editors=("opencl",),
    flags=("cl", "clcpp"),
)
