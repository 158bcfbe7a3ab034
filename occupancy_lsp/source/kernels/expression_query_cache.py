"""Questions about expressions of a host function, each an answer of its own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar, cast

from occupancy_lsp.source.kernels.kernel_attributes import InstanceContext
from occupancy_lsp.source.kernels.semantic_hash import hash_of_expressions, instance_key
from occupancy_lsp.source.lower.item_facts import Argument
from occupancy_lsp.source.syntax.expression_nodes import UnreadableExpression

_T = TypeVar("_T")


def remember_by_expressions(inside: InstanceContext, said: Sequence[Argument], what: str, work: Callable[[], _T]) -> _T:
    """As an answer of its own, which few keys change: it may hang on callers. `said`: all that is asked about."""
    key = content_key_of_expressions(inside, said, what)
    if key is not None:
        return inside.env.remember_by_content(key, work, cast(_T, None), inside.placed.item)
    where = inside.scope(said[0].span.start).key
    return inside.env.remember(("possible", *where, what, *(it.value for it in said)), work, cast(_T, None))


def content_key_of_expressions(
    inside: InstanceContext, said: Sequence[Argument], what: str
) -> tuple[Hashable, ...] | None:
    """What is asked of expressions that may come to the same, wherever they stand."""
    function, placed = inside.function, inside.placed
    if function is None or inside.scopes is not None:
        return None
    meaning = hash_of_expressions(inside.env, placed, function, said)
    within = instance_key(inside.env, placed, function, inside.bindings)
    reasons = tuple(it.value.reason for it in said if isinstance(it.value, UnreadableExpression))
    return ("possible", "", within, what, meaning, reasons) if meaning is not None else None
