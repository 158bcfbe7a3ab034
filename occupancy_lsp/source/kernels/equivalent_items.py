"""Items that stay as they were: an edit has only moved what stands in them.

To who looks names up, such an item is the one that it was, so nothing is worked out again. What is found out of it
names places where things stood, which `Moves` brings to where they stand now.
"""

from __future__ import annotations

from collections.abc import Set

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.kernels.implicit_calls import count_asked_classes, makes_same_objects
from occupancy_lsp.source.kernels.intent_keywords import design_relevant_names
from occupancy_lsp.source.kernels.moves_within_item import Moves, moves_between_versions, names_in_functions
from occupancy_lsp.source.kernels.semantic_hash import names_through_macros
from occupancy_lsp.source.lower.call_output_destinations import count_asked_destinations, has_same_destinations
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.translation_unit_scope import Environment, body_text_input

_KNOWN_WORDS = frozenset(("barrier", "HIP_DYNAMIC_SHARED"))  # names that are looked for in functions


@dataclass(frozen=True, slots=True, eq=False)
class UnchangedItem:
    """An item that stays as it was, `stood`. `now`: as its text reads. `names`: those that only one of the two has.

    `reads_alike`: the bodies of functions that are worked out are the same texts. `compared`: how many answers that
    hang on the text of its functions are known to be the same.
    """

    stood: LocatedItem
    now: LocatedItem
    moves: Moves
    names: frozenset[str]
    reads_alike: bool
    compared: int

    def has_stale_readers(self, env: Environment) -> bool:
        """Whether somebody has asked for the text of a function, which reads otherwise now, or where values go in one
        or what objects it makes, of which the answer is another now."""
        if not self.reads_alike and env.queries.hangs_on(body_text_input(self.stood.slot)):
            return True
        return _count_asked(self.stood) != self.compared and not _have_same_answers(self.stood, self.now)

    def is_valid_in(self, env: Environment) -> bool:
        """Whether nothing in sight bears the names in which the two differ, and nobody has worked out another text."""
        if self.has_stale_readers(env):
            return False
        return not self.names or (
            _are_all_undeclared(env, self.names)
            and self.names.isdisjoint(names_through_macros(env, names_in_functions(self.now.facts)))
        )


def unchanged_item(stood: LocatedItem, now: LocatedItem) -> UnchangedItem | None:
    """None: more than places, names that may mean nothing and bodies that may be worked out is another."""
    was, facts = stood.facts, now.facts
    if (
        was.defect
        or facts.defect
        or [bool(it.texts.shown) for it in was.functions] != [bool(it.texts.shown) for it in facts.functions]
    ):
        return None
    names = names_in_functions(facts) ^ names_in_functions(was)
    found = moves_between_versions(now.slot, was, facts) if not design_relevant_names(names) else None
    if found is None or not _have_same_answers(stood, now):
        return None
    reads_alike = [it.texts.shown for it in was.functions] == [it.texts.shown for it in facts.functions]
    return UnchangedItem(stood, now, found, names, reads_alike, _count_asked(stood))


def _are_all_undeclared(env: Environment, names: Set[str]) -> bool:
    """Whether nothing in sight bears one of them."""
    borne = env.function_names_among(names) or env.function_macros_among(names) or env.value_names_among(names)
    return not (names & _KNOWN_WORDS or borne or env.has_array(names))


def _count_asked(placed: LocatedItem) -> int:
    return sum(
        count_asked_classes(it) + count_asked_destinations(it)
        for it in placed.facts.functions
        if not it.specifiers.host
    )


def _have_same_answers(stood: LocatedItem, now: LocatedItem) -> bool:
    """Whether all that somebody has asked of where values go in functions, and of what objects they make, is as it
    was."""
    versions = zip(stood.facts.functions, now.facts.functions, strict=True)
    return all(
        one.specifiers.host or (makes_same_objects(one, it) and has_same_destinations(one, it)) for one, it in versions
    )
