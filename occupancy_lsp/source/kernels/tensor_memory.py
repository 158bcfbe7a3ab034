"""How many columns of tensor memory a kernel's code allocates: by `tcgen05.alloc` or CUTLASS's allocators."""

from __future__ import annotations

import re
from collections.abc import Iterable

# CUTLASS, cute/arch/tmem_allocator_sm100.hpp.
_CONSTANTS = {b"Sm100TmemCapacityColumns": 512, b"ColumnsPerAllocationSlice": 32}
_ALLOCATOR = re.compile(rb"\bAllocator[12]Sm\b|\bTmemAllocator\b")
_AMOUNT = rb"(?:(?:\w+\s*::\s*)*(?P<name>%b)|(?P<number>\d{1,4}))" % b"|".join(_CONSTANTS)
_METHOD = re.compile(rb"\.\s*allocate\s*\(\s*%b\s*," % _AMOUNT)
_OPERANDS = rb"[^\"]{0,80}\"\s*::?\s*:?\s*\"r\"\s*\([^;\"]{1,80}\)\s*,\s*\"[rn]\"\s*\(\s*(?P<given>\d{1,4})\s*\)"
_INSTRUCTION = re.compile(
    rb"\btcgen05\.alloc\.[\w.:]+\s*\[[^\]\"]{1,40}\]\s*,\s*(?:(?P<number>\d{1,4})\b|%%1\b%b)" % _OPERANDS
)


def columns_allocated(texts: Iterable[bytes]) -> int | None:
    """The most that one allocation is written to take; None: none is, or not as a number. `texts`: without comments."""
    code = b"\n".join(texts)
    found = [int(it["number"] or it["given"]) for it in _INSTRUCTION.finditer(code)]
    if _ALLOCATOR.search(code) is not None:
        found += [_CONSTANTS[it["name"]] if it["name"] else int(it["number"]) for it in _METHOD.finditer(code)]
    return max(found, default=None)
