"""The file-level names of headers, of which few are ever asked for.

Which items bear a name is gathered of all; what they say is read when somebody asks for the name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence
from itertools import accumulate
from operator import attrgetter
from typing import Any, Generic, TypeVar

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
        self, bearers: Mapping[str, list[PlacedItem]], pick: Callable[[PlacedItem, str], Iterable[_T]]
    ) -> None:
        self._pick = pick
        self._known: dict[str, list[_T]] = {}
        self._bearers = bearers

    def __getitem__(self, name: str) -> list[_T]:
        if name not in self._known:
            self._known[name] = [it for placed in self._bearers[name] for it in self._pick(placed, name)]
        return self._known[name]

    def get(self, name: str, default: Any = None, /) -> Any:
        """Without an error that is raised and caught: most names that are asked for are none of a header's."""
        return self[name] if name in self._bearers else default

    def __contains__(self, name: object) -> bool:
        return name in self._bearers

    def __iter__(self) -> Iterator[str]:
        return iter(self._bearers)

    def __len__(self) -> int:
        return len(self._bearers)

    def keys(self) -> KeysView[str]:
        return self._bearers.keys()


class _Lines:
    """Names of items, each on a line of its own: one text, so that a name is found without a look at each item."""

    def __init__(self, placed: Sequence[tuple[PlacedItem, ItemNames]], sense: str) -> None:
        self._placed = placed
        self._names_in = attrgetter(sense)
        self._text: str | None = None
        self._ends: list[int] = []  # of each item's part

    def text(self) -> str:
        if self._text is None:
            parts = [self._names_in(names) for _, names in self._placed]
            self._ends = [*accumulate(map(len, parts))]
            self._text = "".join(parts)
        return self._text

    def bearing(self, name: str) -> Iterator[PlacedItem]:
        """The items that have the name."""
        text, wanted = self.text(), f"\n{name}\n"
        at = text.find(wanted)
        while at >= 0:
            index = bisect_right(self._ends, at)
            yield self._placed[index][0]
            at = text.find(wanted, self._ends[index])


class _Uses(Mapping[str, list[Use]]):
    """As `_ByName`; there are many names, and hardly one is asked for."""

    def __init__(self, lines: _Lines) -> None:
        self._lines = lines
        self._known: dict[str, list[Use]] = {}

    def __getitem__(self, name: str) -> list[Use]:
        if name not in self._known:
            self._known[name] = [use for it in self._lines.bearing(name) for use in uses_in(it) if use.name == name]
        if not self._known[name]:
            raise KeyError(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for name in self._lines.text().split("\n") if name))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _Both(Mapping[str, list[_T]]):
    """What two have of a name, in the order of the items."""

    def __init__(
        self, one: Mapping[str, list[_T]], other: Mapping[str, list[_T]], order: Callable[[_T], int] | None
    ) -> None:
        self._one, self._other, self._order = one, other, order
        self._known: dict[str, list[_T]] = {}

    def __getitem__(self, name: str) -> list[_T]:
        if name not in self._other:
            return self._one[name]
        if name not in self._known:
            found = self._one.get(name, []) + self._other[name]
            self._known[name] = sorted(found, key=self._order) if self._order is not None else found
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._one or name in self._other

    def __iter__(self) -> Iterator[str]:
        return iter(self._one.keys() | self._other.keys())

    def __len__(self) -> int:
        return len(self._one.keys() | self._other.keys())


def _bearers(placed: Iterable[tuple[PlacedItem, ItemNames]], sense: str) -> Mapping[str, list[PlacedItem]]:
    """In one sense, the items that bear a name."""
    found: dict[str, list[PlacedItem]] = {}
    for it, names in placed:
        for name in getattr(names, sense):
            found.setdefault(name, []).append(it)
    return found


def gather_headers(placed_items: Iterable[PlacedItem]) -> Names:
    """As `gather` has them."""
    placed = [(it, it.names) for it in placed_items]
    naming = _Lines(placed, "naming")
    return Names(
        definitions=_ByName(_bearers(placed, "definitions"), _definitions),
        types=_ByName(_bearers(placed, "types"), _types),
        functions=_ByName(_bearers(placed, "functions"), _functions),
        unsaid=_ByName(_bearers(placed, "unsaid"), _unsaid),
        prototypes=_ByName(_bearers(placed, "prototypes"), _prototypes),
        macros=_ByName(_bearers(placed, "macros"), _macros),
        defines=dict.fromkeys(name for _, it in placed for name in it.defines),
        arrays=[(it, array) for it, names in placed if names.arrays for array in it.facts.arrays],
        uses=_Uses(_Lines(placed, "uses")),
        undefined=frozenset(name for _, it in placed for name in it.undefined),
        packs=any(it.packs for _, it in placed),
        tensor_memory=any(it.tensor_memory for _, it in placed),
        again=any(it.unless for it, _ in placed),
        held=[(it, held) for it, names in placed if names.held for held in it.facts.held],
        among=lambda name: (it for those in naming.bearing(name) for it in those.facts.functions),
    )


def with_more(known: Names, more: Sequence[PlacedItem]) -> Names:
    """As if these had been gathered as well."""
    came = gather_headers(more)
    among = [it.among for it in (known, came) if it.among is not None]
    return Names(
        definitions=_Both(known.definitions, came.definitions, _of_placed),
        types=_Both(known.types, came.types, _of_first),
        functions=_Both(known.functions, came.functions, _of_first),
        unsaid=_Both(known.unsaid, came.unsaid, _of_first),
        prototypes=_Both(known.prototypes, came.prototypes, None),
        macros=_Both(known.macros, came.macros, _of_first),
        defines={**dict.fromkeys(known.defines or ()), **dict.fromkeys(came.defines or ())},
        arrays=known.arrays + came.arrays,
        uses=_Both(known.uses, came.uses, _of_placed),
        undefined=known.undefined | came.undefined,
        packs=known.packs or came.packs,
        tensor_memory=known.tensor_memory or came.tensor_memory,
        again=known.again or came.again,
        held=known.held + came.held,
        among=lambda name: (function for each in among for function in each(name)),
    )


def _of_placed(it: Found | Use) -> int:
    return it.placed.order


def _of_first(it: tuple[PlacedItem, object]) -> int:
    return it[0].order


def _definitions(placed: PlacedItem, name: str) -> Iterator[Found]:
    return (Found(placed, it) for it in placed.facts.definitions if it.name == name)


def _types(placed: PlacedItem, name: str) -> Iterator[tuple[PlacedItem, TypeDefinition]]:
    return ((placed, it) for it in placed.facts.types if it.name == name and it.scope is None)


def _functions(placed: PlacedItem, name: str) -> Iterator[Defined]:
    return ((placed, it) for it in placed.facts.functions if it.name == name)


def _unsaid(placed: PlacedItem, name: str) -> Iterator[Defined]:
    return ((placed, it) for it in placed.facts.functions if name in called_by(it))


def _prototypes(placed: PlacedItem, name: str) -> Iterator[Prototype]:
    return (it for it in placed.facts.prototypes if it.name == name)


def _macros(placed: PlacedItem, name: str) -> Iterator[tuple[PlacedItem, FunctionMacro]]:
    return ((placed, it) for it in placed.facts.macros if it.name == name)
