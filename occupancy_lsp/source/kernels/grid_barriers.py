"""Whether a kernel's text waits for all work-groups of its grid: `this_grid().sync()`, cub's GridBarrier, or a loop
until a counter has reached their number. What functions do that it calls is not looked at."""

from __future__ import annotations

import re

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex

GRID_WIDE = frozenset(("this_grid", "GridBarrier"))  # names of which a kernel has one that waits by a library
_WORDS = (*(it.encode() for it in GRID_WIDE), b"gridDim")
_ASIDE = regex(rb"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_GRID = regex(rb"(\w+)\s*[=({]\s*(?:\w+\s*(?:::|\.)\s*)*this_grid\s*\(\s*\)")
_AT_ONCE = regex(rb"this_grid\s*\(\s*\)\s*\.\s*sync\s*\(|::\s*sync\s*\(\s*[\w:\s]*\bthis_grid\s*\(")
_OF_GRID = rb"(?<![\w.>])%b\s*\.\s*(?:sync|barrier_wait)\s*\(|\b(?:cg|cooperative_groups)\s*::\s*sync\s*\(\s*%b\s*\)"
_CUB = regex(rb"\bGridBarrier\b\s*&?\s*(\w+)")
_OF_CUB = rb"(?<![\w.>])%b\s*\.\s*Sync\s*\("
# It reads a counter until that has reached the number of work-groups, and does nothing else.
_IDLE = rb"__(?:nanosleep|threadfence\w*)\s*\([^;{}]{0,40}\)\s*;\s*"
_SPINS = regex(rb"\bwhile\s*\(([^;{}]{1,300})\)\s*(?:;|\{\s*(?:%b)*\})" % _IDLE)
_READS = regex(rb"atomic(?:Add|Or)\s*\([^;]*,\s*0[uUlL]*\s*\)|\bvolatile\b|\.\s*load\s*\(|\bld_|acquire|atomic_load")


@remembered(256)
def waits_for_grid(text: bytes, start: int, end: int) -> bool:
    """Of the kernel whose head and body stand between two offsets of a text."""
    code = text[start:end]
    if not any(it in code for it in _WORDS):
        return False
    code = _ASIDE.sub(b" ", code)
    if b"is_valid" in code:  # it asks whether it was launched so
        return False
    if _AT_ONCE.search(code) or any(_is_grid_spin_condition(it[1]) for it in _SPINS.finditer(code)):
        return True
    grids, barriers = {*_GRID.findall(code)}, {*_CUB.findall(code)}
    return any(re.search(_OF_GRID % (it, it), code) for it in grids) or any(
        re.search(_OF_CUB % it, code) for it in barriers
    )


def _is_grid_spin_condition(condition: bytes) -> bool:
    return b"gridDim" in condition and _READS.search(condition) is not None
