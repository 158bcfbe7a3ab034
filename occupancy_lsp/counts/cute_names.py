"""Symbols of the CuTe DSL's kernels: `kernel_cutlass_`, the function's name, its arguments as text, and a number.

`BaseDSL.mangle_name` (nvidia-cutlass-dsl 4.8) puts `_` between them and drops all punctuation, so that nothing parts a
name from what follows in general: `scale_tensorptrf32gmemo2561_0` begins with the type of a tensor after the name, and
`kernel_pkgmodScale_object_at__tensor…` with the object that the method `kernel` of `pkg.mod.Scale` has. Others, and
names that may end in a number or a constant that was passed, are not taken apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, takewhile
from pathlib import Path

from occupancy_lsp.core.regex import regex

LANGUAGE = "cute"
_OBJECT = "_object_at_"
_SYMBOL = regex(rf"kernel_cutlass_([^\W\d]\w*?)(?:({_OBJECT})_?|_(?=tensorptr[a-z]+\d))((?:.*_)?\d+)")
_CONSTANT = regex(r"\w+_(?:\d+|True|False|None)")
_SCRIPT = "__main__"  # the module of a file that was run, whichever that is


def function_of(symbol: str) -> str | None:
    """`scale`, or `kernel_pkgmodScale_object_at_` of a method; None: it is no such symbol, or not sure."""
    found = _SYMBOL.fullmatch(symbol)
    if found is None or (not found[2] and _CONSTANT.fullmatch(found[1])):
        return None
    return found[1] + (found[2] or "")


def arguments_of(symbol: str) -> tuple[str, ...] | None:
    """What it was compiled for, as the symbol has it, with its number: `("tensorptrf32gmemo2561_0",)`."""
    found = _SYMBOL.fullmatch(symbol) if function_of(symbol) is not None else None
    return (found[3],) if found else None


def names_module(symbol: str) -> bool:
    """Whether it is of a method, and of no script."""
    found = _SYMBOL.fullmatch(symbol)
    return found is not None and bool(found[2]) and _SCRIPT not in found[1]


def names_of(qualified: str, source: Path | None) -> Iterator[str]:
    """What `function_of` may say of the method `Scale.kernel` of a file: a script, or a module."""
    holder, _, method = qualified.rpartition(".")
    if source is None or not holder or "." in holder:
        return
    parts = takewhile(str.isidentifier, (source.stem, *(it.name for it in source.parents)))
    for module in (_SCRIPT, *accumulate(parts, lambda module, above: above + module)):
        yield f"{method}_{module}{holder}{_OBJECT}"
