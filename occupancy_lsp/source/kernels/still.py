"""Items that stay as they were: an edit has only moved what stands in them.

To who looks names up, such an item is the one that it was, so nothing is worked out again. What is found out of it
names places where things stood, which `Moves` brings to where they stand now.
"""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.facts.facts import ItemFacts
from occupancy_lsp.source.facts.names import PlacedItem
from occupancy_lsp.source.kernels.alike import in_macros
from occupancy_lsp.source.kernels.as_called import mean_nothing, names_in
from occupancy_lsp.source.kernels.design import telling
from occupancy_lsp.source.kernels.moved import Moves, moves
from occupancy_lsp.source.meaning.environment import Environment


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """An item that stays as it was, `stood`. `now`: as its text reads. `names`: those that only one of the two has."""

    stood: PlacedItem
    now: PlacedItem
    moves: Moves
    names: frozenset[str]

    def holds(self, env: Environment) -> bool:
        """Whether nothing in sight bears the names in which the two differ."""
        if not self.names:
            return True
        meaningless = mean_nothing(env, self.names)
        return meaningless and self.names.isdisjoint(in_macros(env, names_in(self.now.facts)))


def still(stood: PlacedItem, now: PlacedItem) -> Still | None:
    """None: more than places and names that may mean nothing is another; or texts are that are read themselves."""
    if stood.facts.defect or now.facts.defect or _texts(stood.facts) != _texts(now.facts):
        return None
    names = names_in(now.facts) ^ names_in(stood.facts)
    found = moves(now.slot, stood.facts, now.facts) if not telling(names) else None
    return Still(stood, now, found, names) if found is not None else None


def _texts(facts: ItemFacts) -> list[object]:
    return [(it.code, it.shown) for it in facts.functions]
