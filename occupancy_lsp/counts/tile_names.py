"""Symbols of cuTile's kernels: the function's name, `_K`, a calling convention, and what it was compiled for.

`cuda.tile.compilation` has the grammar (cuTile 1.7): `gemm_Kt1_A2f16_1v16l0_p16_I128` takes a matrix and 128.
"""

from __future__ import annotations

import re

from occupancy_lsp.core.regex import regex

_SYMBOL = regex(r"([^\W\d]\w*)_Kt\d+((?:_\w+)?)")
_PARAMETER = regex(r"_(?=[ABDFILMPRST]|C[a-z]_)")
_ARRAY = regex(r"A(\d+)([a-z]\w*?)(?:_.*)?")
_SCALAR = regex(r"([SP])([a-z]\w*)")


def function_of(symbol: str) -> str | None:
    """`gemm`; None: it is no such symbol."""
    found = _SYMBOL.fullmatch(symbol)
    return found[1] if found else None


def arguments_of(symbol: str) -> tuple[str, ...] | None:
    """`("f16 2D", "128")`: types of what is passed, and constants; what is neither stays as it is."""
    found = _SYMBOL.fullmatch(symbol)
    return tuple(_argument(it) for it in _PARAMETER.split(found[2])[1:]) if found else None


def _argument(code: str) -> str:
    if array := _ARRAY.fullmatch(code):
        return f"{array[2]} {array[1]}D"
    if scalar := _SCALAR.fullmatch(code):
        return f"{scalar[2]}*" if scalar[1] == "P" else scalar[2]
    if re.fullmatch(r"I\d+", code):
        return code[1:]
    return {"B0": "False", "B1": "True"}.get(code, code)
