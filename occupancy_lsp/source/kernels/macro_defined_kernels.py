"""Kernels that macros make, read from what the preprocessor makes of the text where such a macro is used."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from occupancy_lsp.core.query import remembered
from occupancy_lsp.source.kernels.kernel import Kernel, expanded_function_name
from occupancy_lsp.source.kernels.kernel_attributes import place_of
from occupancy_lsp.source.kernels.moves_within_item import relocated_to_place
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lex.item_list import new_item_id
from occupancy_lsp.source.lower.item_facts import Function, ItemFacts, KernelMacroUse
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.preprocessor.preprocessing_tokens import lex_preprocessing_tokens, spell_tokens
from occupancy_lsp.source.sema.macro_uses import expand_text
from occupancy_lsp.source.sema.translation_unit_scope import Environment

# What code says.
Read = Callable[[bytes, Dialect], ItemFacts]
ResolveKernel = Callable[[Environment, LocatedItem, Function], Kernel]
_MOST_REMEMBERED = 4096


def kernels_of_macro_use(
    env: Environment, placed: LocatedItem, made: KernelMacroUse, read: Read, resolve: ResolveKernel
) -> tuple[Sequence[Kernel], bool]:
    """The kernels, each as if all of it stood where the macro does; and whether there may be others."""
    code = expanded_macro_use(env, placed, made)
    if not code:
        return (), code is None
    there = item_of_macro_use(placed, code, read(code, env.dialect))
    facts = there.facts
    if code.count(b"{") != code.count(b"}") or not all(it.kernel for it in facts.functions):
        return (), any(it.kernel for it in facts.functions)  # its body, or what it calls, stands elsewhere
    kernels = [it for it in facts.functions if it.kernel and expanded_function_name(env, there, it) is not None]
    unnamed = len(kernels) < sum(it.kernel for it in facts.functions)
    others = (
        unnamed or bool(facts.unread_kernels or facts.made) or (not kernels and _may_be_kernel_head(code, env.dialect))
    )
    place = place_of(placed, made.span)
    return [relocated_to_place(resolve(env, there, it), place) for it in kernels], others


def expanded_macro_use(env: Environment, placed: LocatedItem, made: KernelMacroUse) -> bytes | None:
    """What the preprocessor makes of it; None: that is not known; nothing: no macro stands there."""
    found = expand_text(made.text, env, (placed.order, made.span.start))
    if found is None:
        return None
    if [it.text for it in found] == [it.text for it in lex_preprocessing_tokens(made.text)]:
        return b""
    return spell_tokens(found).encode()


def item_of_macro_use(placed: LocatedItem, code: bytes, facts: ItemFacts) -> LocatedItem:
    """What the macro's text says, as an item in its place."""
    item = _item_id(placed.slot, placed.order, placed.namespaces, code)
    return LocatedItem(item, placed.order, placed.namespaces, placed.conditions, facts, False, True, placed.slot)


def _may_be_kernel_head(code: bytes, dialect: Dialect) -> bool:
    """Whether it looks like the beginning of a kernel."""
    return not code.rstrip().endswith((b";", b"}")) and any(word in code for word in dialect.kernel)


@remembered(_MOST_REMEMBERED)
def _item_id(*about: object) -> int:
    """Of an item that stands nowhere: the same for the same text in the same place."""
    return new_item_id()
