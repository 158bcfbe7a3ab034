"""How `#pragma pack` lets structs be packed, from place to place of a translation unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.preprocessor_directives import PACKING
from occupancy_lsp.source.lower.symbol_table import FoundDefinition, LocatedItem

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.translation_unit_scope import Environment

_NUMBERS = frozenset(("1", "2", "4", "8", "16"))
_NAME = regex(r"[A-Za-z_]\w*\Z")
_UNLIMITED = 0


def pack_limit_at(env: Environment, placed: LocatedItem, offset: int) -> int | None:
    """The most that a member's alignment counts in a struct that is defined there; 0: no limit; None: not known."""
    said = env.definitions(PACKING)
    if not said:
        return _UNLIMITED
    before = [it for it in said if (it.placed.order, it.definition.start) < (placed.order, offset)]
    return env.remember(
        ("packing", placed.item, placed.order, len(before)), lambda: _limit_after_pragmas(env, before), None
    )


def _limit_after_pragmas(env: Environment, pragmas: Sequence[FoundDefinition]) -> int | None:
    current: int | None = _UNLIMITED
    stack: list[tuple[str, int | None]] = []
    for found in pragmas:
        holds = env.holds(found.placed.conditions + found.definition.conditions, found.placed.order)
        if holds is False:
            continue
        words = [it.strip() for it in found.definition.type.split(",")]
        if holds is None or not _is_understood_pragma(words) or any(env.definitions(it) for it in words if it):
            return None
        if words[0] == "push":
            label = next((it for it in words[1:] if _NAME.match(it)), "")
            stack.append((label, current))
        elif words[0] == "pop" and stack:
            label = next((it for it in words[1:] if _NAME.match(it)), "")
            current = _pop_limit(stack, label, current)
        number = next((int(it) for it in words if it in _NUMBERS), None)
        if number is not None or words == [""]:
            current = number or _UNLIMITED
    return current


def _is_understood_pragma(words: Sequence[str]) -> bool:
    """Whether all of it is understood: a number by a macro's name is not."""
    first, *rest = words
    if first in ("push", "pop"):
        return all(it in _NUMBERS or _NAME.match(it) for it in rest)
    return not rest and (first == "" or first in _NUMBERS)


def _pop_limit(stack: list[tuple[str, int | None]], label: str, current: int | None) -> int | None:
    """What was in force before the last push, or before the one of that name."""
    if label and all(it != label for it, _ in stack):
        return current
    while stack:
        name, current = stack.pop()
        if not label or name == label:
            break
    return current
