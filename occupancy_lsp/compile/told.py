"""What a compiler said of what it made: which functions and kernels there are, and how they are called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from occupancy_lsp.core.files import read_bytes
from occupancy_lsp.core.regex import regex

# In what ptxas says, and in AMD's assembly.
_FUNCTION = regex(rb"Function properties for ([^\s']+)|^\s*\.type\s+([\w$.]+),@function", re.MULTILINE)
_KERNEL = regex(rb"Compiling entry function '([^'\s]+)'|^\s*\.amdhsa_kernel\s+([\w$.]+)", re.MULTILINE)
_OF_TOOLKIT = regex(rb"__(?:internal|nv|cuda|ocml|ockl)_")
_AT_LAUNCH = regex(rb"^\s*\.extern \.shared\b", re.MULTILINE)
_BY_POINTER = regex(rb"\.callprototype\b|\.has_indirect_call, 1\b")
_MOST_SAID = 16 << 20


def told_in(made: Path) -> bytes:
    """What the compiler said, in the file that it made."""
    return read_bytes(made, _MOST_SAID) or b""


def calls_by_pointer(made: Path) -> bool:
    """By AMD's assembly, or by the PTX that is kept beside what ptxas says of it. True also where that is gone."""
    said = told_in(_code(made))
    return not said or _BY_POINTER.search(said) is not None


def static_is_final(made: Path) -> bool:
    """Whether static shared memory cannot be more in other company: ptxas rounds that of all kernels up to 16 bytes
    where any of them takes more at launch (seen with CUDA 13.0). AMD's compiler looks at each kernel alone."""
    return made.suffix == ".s" or _AT_LAUNCH.search(told_in(_code(made))) is not None


def _code(made: Path) -> Path:
    return made if made.suffix == ".s" else made.with_name(f"{made.name.partition('.')[0]}.ptx")


def not_inlined(said: bytes) -> set[bytes]:
    """The functions that were compiled for all that call them, without the toolkit's."""
    return {it for it in _names(_FUNCTION, said) if not _OF_TOOLKIT.match(it)} - {*_names(_KERNEL, said)}


def _names(pattern: re.Pattern[bytes], said: bytes) -> Iterator[bytes]:
    return (one or other for one, other in pattern.findall(said))
