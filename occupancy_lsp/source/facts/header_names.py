"""The file-level names of headers, of which few are ever asked for.

Which items bear a name is gathered of all; what they say is read when somebody asks for the name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence
from operator import attrgetter
from typing import Generic, TypeVar

from occupancy_lsp.source.facts.facts import FunctionMacro, Prototype, TypeDefinition
from occupancy_lsp.source.facts.names import (
    Defined,
    Found,
    ItemNames,
    Names,
    PlacedItem,
    Use,
    called_by,
    uses_in,
)

_T = TypeVar("_T")


class _ByName(Mapping[str, list[_T]], Generic[_T]):
    """What `pick` finds of a name in the items that bear it."""

    def __init__(
        self,
        standing: Iterable[tuple[PlacedItem, ItemNames]],
        sense: str,
        pick: Callable[[PlacedItem, str], Iterable[_T]],
    ) -> None:
        self._pick = pick
        self._known: dict[str, list[_T]] = {}
        self._bearers: dict[str, list[PlacedItem]] = {}
        names_in = attrgetter(sense)
        for it, names in standing:
            for name in names_in(names):
                self._bearers.setdefault(name, []).append(it)

    def __getitem__(self, name: str) -> list[_T]:
        if name not in self._known:
            self._known[name] = [it for standing in self._bearers[name] for it in self._pick(standing, name)]
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._bearers

    def __iter__(self) -> Iterator[str]:
        return iter(self._bearers)

    def __len__(self) -> int:
        return len(self._bearers)

    def keys(self) -> KeysView[str]:
        return self._bearers.keys()


class _Uses(Mapping[str, list[Use]]):
    """As `_ByName`; there are many names, and hardly one is asked for."""

    def __init__(self, standing: Sequence[tuple[PlacedItem, ItemNames]]) -> None:
        self._standing = standing
        self._known: dict[str, list[Use]] = {}

    def __getitem__(self, name: str) -> list[Use]:
        if name not in self._known:
            those = _with(self._standing, "uses", name)
            self._known[name] = [use for it in those for use in uses_in(it) if use.name == name]
        if not self._known[name]:
            raise KeyError(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for _, it in self._standing for name in it.uses.split("\n") if name))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def gather_headers(placed_items: Iterable[PlacedItem]) -> Names:
    """As `gather` has them."""
    standing = [(it, it.names) for it in placed_items]
    definitions = _ByName(standing, "definitions", _definitions)
    return Names(
        definitions=definitions,
        types=_ByName(standing, "types", _types),
        functions=_ByName(standing, "functions", _functions),
        unsaid=_ByName(standing, "unsaid", _unsaid),
        prototypes=_ByName(standing, "prototypes", _prototypes),
        macros=_ByName(standing, "macros", _macros),
        defines=dict.fromkeys(name for _, it in standing for name in it.defines),
        arrays=[(it, array) for it, names in standing if names.arrays for array in it.facts.arrays],
        uses=_Uses(standing),
        undefined=frozenset(name for _, it in standing for name in it.undefined),
        packs=any(it.packs for _, it in standing),
        held=[(it, held) for it, names in standing if names.held for held in it.facts.held],
        among=lambda name: (it for those in _with(standing, "naming", name) for it in those.facts.functions),
    )


def _with(standing: Iterable[tuple[PlacedItem, ItemNames]], names: str, name: str) -> Iterator[PlacedItem]:
    """The items with the name among these, each on a line of its own."""
    wanted, names_in = f"\n{name}\n", attrgetter(names)
    return (it for it, each in standing if wanted in names_in(each))


def _definitions(standing: PlacedItem, name: str) -> Iterator[Found]:
    return (Found(standing, it) for it in standing.facts.definitions if it.name == name)


def _types(standing: PlacedItem, name: str) -> Iterator[tuple[PlacedItem, TypeDefinition]]:
    return ((standing, it) for it in standing.facts.types if it.name == name and it.scope is None)


def _functions(standing: PlacedItem, name: str) -> Iterator[Defined]:
    return ((standing, it) for it in standing.facts.functions if it.name == name)


def _unsaid(standing: PlacedItem, name: str) -> Iterator[Defined]:
    return ((standing, it) for it in standing.facts.functions if name in called_by(it))


def _prototypes(standing: PlacedItem, name: str) -> Iterator[Prototype]:
    return (it for it in standing.facts.prototypes if it.name == name)


def _macros(standing: PlacedItem, name: str) -> Iterator[tuple[PlacedItem, FunctionMacro]]:
    return ((standing, it) for it in standing.facts.macros if it.name == name)
