"""How many columns of tensor memory a kernel's code allocates: by `tcgen05.alloc` or CUTLASS's allocators."""

from __future__ import annotations

import re
from collections.abc import Iterable

WORDS = (b"tcgen05.alloc", b"allocate")  # what a text has that allocates some, or what its kernels call
# CUTLASS, cute/arch/tmem_allocator_sm100.hpp.
_CONSTANTS = {b"Sm100TmemCapacityColumns": 512, b"ColumnsPerAllocationSlice": 32}
_ALLOCATOR = re.compile(rb"\bAllocator[12]Sm\b|\bTmemAllocator\b")
_AMOUNT = rb"(?:(?:\w+\s*::\s*)*(?P<name>%b)|(?P<number>\d{1,4}))" % b"|".join(_CONSTANTS)
_METHOD = re.compile(rb"\.\s*allocate\s*\(\s*%b\s*," % _AMOUNT)
_OPERANDS = rb"[^\"]{0,80}\"\s*::?\s*:?\s*\"r\"\s*\([^;\"]{1,80}\)\s*,\s*\"[rn]\"\s*\(\s*(?P<given>\d{1,4})\s*\)"
_INSTRUCTION = re.compile(
    rb"\btcgen05\.alloc\.[\w.:]+\s*\[[^\]\"]{1,40}\]\s*,\s*(?:(?P<number>\d{1,4})\b|%%1\b%b)" % _OPERANDS
)

_CONDITIONAL = re.compile(rb"^[ \t]*#[ \t]*(?:if|(?P<end>endif))", re.MULTILINE)


def columns_allocated(texts: Iterable[bytes]) -> int | None:
    """The most that one allocation is written to take; None: none is, not as a number, or perhaps not compiled.

    `texts`: without comments.
    """
    code = b"\n".join(texts)
    found = list(_INSTRUCTION.finditer(code))
    if _ALLOCATOR.search(code) is not None:
        found += _METHOD.finditer(code)
    if any(_is_conditional(code, it.start()) for it in found):
        return None
    return max(map(_columns, found), default=None)


def _columns(allocation: re.Match[bytes]) -> int:
    given = allocation.groupdict()
    name = given.get("name")
    return _CONSTANTS[name] if name else int(given["number"] or given["given"])


def _is_conditional(code: bytes, at: int) -> bool:
    """Whether it stands between an `#if` and its `#endif`."""
    return sum(-1 if it["end"] else 1 for it in _CONDITIONAL.finditer(code, 0, at)) > 0
