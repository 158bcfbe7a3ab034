"""Items that stay as they were: an edit has only moved what stands in them.

To who looks names up, such an item is the one that it was, so nothing is worked out again. What is found out of it
names places where things stood, which `Moves` brings to where they stand now.
"""

from __future__ import annotations

from collections.abc import Set

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.kernels.intent_keywords import design_words
from occupancy_lsp.source.kernels.moves_within_item import Moves, moves_between_versions, names_in_functions
from occupancy_lsp.source.kernels.semantic_hash import names_through_macros
from occupancy_lsp.source.lower.array_accesses import array_accesses
from occupancy_lsp.source.lower.call_output_destinations import has_same_output_destinations
from occupancy_lsp.source.lower.item_facts import Function
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.translation_unit_scope import Environment, body_text_input

_KNOWN_WORDS = frozenset(("barrier", "HIP_DYNAMIC_SHARED"))  # names that are looked for in functions


@dataclass(frozen=True, slots=True, eq=False)
class UnchangedItem:
    """An item that stays as it was, `stood`. `now`: as its text reads. `names`: those that only one of the two has.

    `reads_alike`: the bodies of functions that are worked out are the same texts.
    """

    stood: LocatedItem
    now: LocatedItem
    moves: Moves
    names: frozenset[str]
    reads_alike: bool

    def has_stale_text_readers(self, env: Environment) -> bool:
        """Whether somebody has asked for the text of a function, which reads otherwise now."""
        return not self.reads_alike and env.queries.hangs_on(body_text_input(self.stood.slot))

    def holds(self, env: Environment) -> bool:
        """Whether nothing in sight bears the names in which the two differ, nobody has worked out another text, and
        what others give back to its functions goes where it went."""
        if self.has_stale_text_readers(env):
            return False
        if self.names and not (
            _have_no_declaration(env, self.names)
            and self.names.isdisjoint(names_through_macros(env, names_in_functions(self.now.facts)))
        ):
            return False
        versions = zip(self.now.facts.functions, self.stood.facts.functions, strict=True)
        return all(_have_same_result_destinations(env, *each) for each in versions)


def unchanged_item(stood: LocatedItem, now: LocatedItem) -> UnchangedItem | None:
    """None: more than places, names that may mean nothing and bodies that may be worked out is another."""
    was, facts = stood.facts, now.facts
    if (
        was.defect
        or facts.defect
        or [_text_to_compare(it) for it in was.functions] != [_text_to_compare(it) for it in facts.functions]
    ):
        return None
    names = names_in_functions(facts) ^ names_in_functions(was)
    found = moves_between_versions(now.slot, was, facts) if not design_words(names) else None
    if found is None:
        return None
    reads_alike = [it.shown for it in was.functions] == [it.shown for it in facts.functions]
    return UnchangedItem(stood, now, found, names, reads_alike)


def _text_to_compare(function: Function) -> tuple[bytes | None, bool]:
    """The text of a short kernel, which tells what objects it makes; whether there is one of another function."""
    return function.code, bool(function.shown)


def _have_no_declaration(env: Environment, names: Set[str]) -> bool:
    """Whether nothing in sight bears one of them."""
    borne = env.function_names_among(names) or env.function_macros_among(names) or env.value_names_among(names)
    return not (names & _KNOWN_WORDS or borne or env.has_array(names))


def _have_same_result_destinations(env: Environment, one: Function, other: Function) -> bool:
    """Whether what functions give back of what they read from local memory goes the same ways in two versions of one
    that calls them."""
    if one.host:
        return True
    handed = {it.callee for it in array_accesses(one).accesses if it.callee}
    for index, (site, was) in enumerate(zip(one.calls, other.calls, strict=True)):
        label = site.label
        if label in handed or _may_return_local_reads(env, label):
            if site.name != was.name:
                return False
            if not all(has_same_output_destinations(one, other, index, it) for _, it in env.called(label)):
                return False
    return True


def _may_return_local_reads(env: Environment, label: str) -> bool:
    """Whether a function of that name may give back what it reads from local memory that is no argument of it."""
    return env.remember(("gives back", label), lambda: _find_may_return_local_reads(env, label), False)


def _find_may_return_local_reads(env: Environment, label: str) -> bool:
    return any(
        any(not array.dynamic for array in it.arrays)
        or env.has_array(it.names)
        or any(_may_return_local_reads(env, site.label) for site in it.calls)
        for _, it in env.called(label)
    )
