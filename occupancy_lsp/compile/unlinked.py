"""Calls that only linking resolves: until then no compiler knows what a kernel that makes them uses."""

from __future__ import annotations

import re
from pathlib import Path

from occupancy_lsp.core.files import read_bytes
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex

_MOST = 256 << 20
# What the driver has for every kernel; ptxas itself knows what a call of it takes.
_OF_DRIVER = regex(rb"vprintf|malloc|free|__assertfail|__nv_\w+|cuda\w+|__cuda\w+")
_EXTERN = regex(rb"^\.extern \.func\s*(?:\([^()]*\)\s*)?([\w$]+)", re.MULTILINE)
_BY_POINTER = regex(rb"\.callprototype\b")
_REFERRED = regex(rb"([\w$.]+)@(?:got)?(?:pc)?rel32@lo")
# What is weak may be missing: variables of HIP's headers, of which nothing is read.
_DEFINED = regex(rb"^(?:([\w$.]+):|[ \t]*\.weak[ \t]+([\w$.]+))", re.MULTILINE)


def of_ptx(path: Path, source: Path) -> Problem | None:
    """`.extern .func` is a function that is not in the file."""
    names = {name for name in _EXTERN.findall(_content(path)) if not _OF_DRIVER.fullmatch(name)}
    return _problem(names, source)


def by_pointers(path: Path, source: Path) -> Problem | None:
    """Of relocatable code: which functions a pointer may be to, the linker knows of the whole program alone."""
    if _BY_POINTER.search(_content(path)) is None:
        return None
    why = "it calls functions by pointers, so what its kernels use is known only when the program is linked"
    return Problem(str(source), 0, 0, f"not compiled: {why}")


def of_assembly(path: Path, source: Path) -> Problem | None:
    """AMD's: a symbol that is referred to and has no label."""
    content = _content(path)
    defined = {name for names in _DEFINED.findall(content) for name in names}
    return _problem({*_REFERRED.findall(content)} - defined, source)


def _content(path: Path) -> bytes:
    return read_bytes(path, _MOST) or b""


def _problem(names: set[bytes], source: Path) -> Problem | None:
    if not names:
        return None
    shown = ", ".join(sorted(name.decode("ascii", "replace")[:80] for name in names)[:3])
    why = f"it calls what is not in it ({shown}), so what its kernels use is known only when it is linked"
    return Problem(str(source), 0, 0, f"not compiled: {why}")
