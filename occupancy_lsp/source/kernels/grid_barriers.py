"""Where a kernel's text, or that of a function, waits for all work-groups of its grid: `this_grid().sync()`, cub's
GridBarrier, or a loop until a counter has reached their number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.function_instance import CompiledPlaces, FunctionInstance
from occupancy_lsp.source.kernels.reachability import KernelReachability
from occupancy_lsp.source.sema.translation_unit_scope import Environment

GRID_WIDE = frozenset(
    ("this_grid", "GridBarrier", "grid_group")
)  # names of which a kernel has one that waits by a library
_WORDS = (*(it.encode() for it in GRID_WIDE), b"gridDim")
_ASIDE = regex(rb"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_OF_TYPE = regex(rb"\bgrid_group\b\s*(?:const\b\s*)?&?\s*(\w+)")
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
    return bool(_grid_barriers(text[start:end]))


@remembered(256)
def _grid_barriers(code: bytes) -> tuple[int, ...]:
    """Where they stand in what is a head and a body."""
    if not any(it in code for it in _WORDS):
        return ()
    code = _ASIDE.sub(lambda aside: b" " * len(aside[0]), code)
    if b"is_valid" in code:  # it asks whether it was launched so
        return ()
    return tuple(_places(code))


def _places(code: bytes) -> Iterator[int]:
    yield from (it.start() for it in _AT_ONCE.finditer(code))
    yield from (it.start() for it in _SPINS.finditer(code) if _is_grid_spin_condition(it[1]))
    for grid in {*_GRID.findall(code), *_OF_TYPE.findall(code)}:
        yield from (it.start() for it in re.finditer(_OF_GRID % (grid, grid), code))
    for barrier in {*_CUB.findall(code)}:
        yield from (it.start() for it in re.finditer(_OF_CUB % barrier, code))


def _is_grid_spin_condition(condition: bytes) -> bool:
    return b"gridDim" in condition and _READS.search(condition) is not None


def calls_grid_barrier(env: Environment, found: KernelReachability) -> bool:
    """Whether the kernel calls a function that waits so, where a compiler keeps both the call and the barrier.

    One that only spins is not seen: what has no barrier of the group is not followed.
    """
    waiting = [it for it in found.below.bodies if _grid_barriers(it.function.texts.device_code)]
    is_compiled = CompiledPlaces(env, found.kernel)
    surely = found.surely_reached(env, is_compiled) if waiting else frozenset[FunctionInstance]()
    return any(_keeps_barrier(env, it) for it in waiting if it in surely)


def _keeps_barrier(env: Environment, body: FunctionInstance) -> bool:
    is_kept = CompiledPlaces(env, body)
    return any(is_kept(body.function.head.start + at) for at in _grid_barriers(body.function.texts.device_code))
