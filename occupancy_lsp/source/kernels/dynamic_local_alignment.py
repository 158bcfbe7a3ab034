"""To what the local memory is aligned that is sized at launch.

ptxas aligns all of a translation unit as the strictest declaration asks that anything in it uses, those of headers
among them.
"""

from __future__ import annotations

from collections.abc import Mapping

from occupancy_lsp.source.lower.item_facts import Function, LocalArray
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.builtin_layout import Layout, builtin_layout, keyword_type
from occupancy_lsp.source.sema.definition_layout import layout_attributes
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import Type, layout_of, resolve_type


def dynamic_alignment(env: Environment) -> tuple[int, int | None]:
    """Return the least and the most; None: not known."""
    return env.cached_table("dynamic alignment", _compute_dynamic_alignment, ("dynamic arrays", "functions"))[""]


def _compute_dynamic_alignment(env: Environment) -> Mapping[str, tuple[int, int | None]]:
    least, most, known = 1, 1, True
    for placed, array in env.dynamic_arrays():
        asked = _requested_alignment(env, placed, array)
        known = known and asked is not None
        most = max(most, asked or 1)
        if (asked or 1) > least and _is_surely_used(env, placed, array):
            least = asked or 1
    return {"": (least, most if known else None)}


def _requested_alignment(env: Environment, placed: LocatedItem, array: LocalArray) -> int | None:
    """Return what a declaration asks for; None: its attributes are not known."""
    written = array.field.type
    if not array.field.attributes and not written.pointer and keyword_type(written.text) is not None:
        known = builtin_layout(written.text, env.builtin_type_family)
        return known.alignment if known is not None else 1
    scope = ItemScope(env, placed, array.field.span.start)
    said = layout_attributes(array.field.attributes, scope) if array.field.attributes else None
    if isinstance(said, str):
        return None
    kind = resolve_type(written.text, scope) if not written.pointer else ""
    layout = layout_of(kind, scope) if isinstance(kind, Type) else ""
    of_type = layout.alignment if isinstance(layout, Layout) else 1
    return max(of_type, said.alignment or 1 if said is not None else 1)


def _is_surely_used(env: Environment, placed: LocatedItem, array: LocalArray) -> bool:
    """Return whether a kernel of the file itself that is surely compiled uses it."""
    if env.holds((*placed.conditions, *array.conditions), placed.order) is not True:
        return False
    own = env.own.functions
    around = [it for it in placed.facts.functions if array in it.memory.arrays]
    if around:
        known = ((placed, it) for it in around if array.uses and (placed, it) in own.get(it.name, ()))
        return any(_is_surely_compiled_kernel(env, *it) for it in known)
    using = (it for several in own.values() for it in several if array.field.name in it[1].mentions.names)
    return any(_is_surely_compiled_kernel(env, *it) for it in using)


def _is_surely_compiled_kernel(env: Environment, placed: LocatedItem, function: Function) -> bool:
    conditions = (*placed.conditions, *function.conditions)
    return function.kernel and function.template is None and env.holds(conditions, placed.order) is True
