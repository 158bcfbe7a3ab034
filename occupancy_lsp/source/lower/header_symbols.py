"""The file-level names of headers, of which few are ever asked for.

Which items bear a name is gathered of all; what they say is read when somebody asks for the name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import accumulate, chain
from operator import attrgetter
from typing import Any, Generic, TypeVar

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.lower.item_facts import (
    Conditions,
    Definition,
    FunctionMacro,
    HeldKernelObject,
    KernelDeclaration,
    MacroChange,
    Prototype,
    TypeDefinition,
)
from occupancy_lsp.source.lower.symbol_table import (
    Defined,
    FoundDefinition,
    FunctionUse,
    ItemNames,
    LocatedItem,
    SymbolTable,
    function_uses_in,
    names_implying_call,
)

_T = TypeVar("_T")


# Of those of `SymbolTable`, in which an item bears few.
SENSES = ("definitions", "types", "functions", "unsaid", "prototypes", "announced", "macros", "undefined")
_names_in = attrgetter(*SENSES)


class ItemRun:
    """Items of a file that follow one another with the same around them. What they bear is gathered once for all the
    units in which they stand."""

    def __init__(self, items: tuple[LocatedItem, ...]) -> None:
        self.items = items

    @cached_property
    def names(self) -> Sequence[ItemNames]:
        return [it.names for it in self.items]

    @cached_property
    def item_indices_by_name(self) -> Mapping[str, Mapping[str, Sequence[int]]]:
        """In each sense in which they bear any, the items that bear a name."""
        found: dict[str, dict[str, list[int]]] = {}
        for index, it in enumerate(self.names):
            for sense, names in zip(SENSES, _names_in(it), strict=True):
                for name in names:
                    found.setdefault(sense, {}).setdefault(name, []).append(index)
        return found

    @cached_property
    def kernels(self) -> Mapping[str, Sequence[int]]:
        """The items that define a kernel, by its name."""
        found: dict[str, list[int]] = {}
        for index, it in enumerate(self.names):
            for name in it.kernels:
                found.setdefault(name, []).append(index)
        return found

    def has_name(self, name: str, *senses: str) -> bool:
        """Whether an item bears the name in one of these senses."""
        return any(name in self.item_indices_by_name.get(sense, ()) for sense in senses)

    def items_declaring_kernel(self, kernel: str) -> Sequence[int]:
        """The items that define or declare one of that name."""
        found = {*self.kernels.get(kernel, ()), *self.item_indices_by_name.get("prototypes", {}).get(kernel, ())}
        return sorted(found)

    @cached_property
    def naming(self) -> _Lines:
        return _Lines([it.naming for it in self.names])

    @cached_property
    def uses(self) -> _Lines:
        return _Lines([it.uses for it in self.names])

    @cached_property
    def held(self) -> _Lines:
        return _Lines([it.held for it in self.names])

    def _items_with_names(self) -> Iterator[tuple[LocatedItem, ItemNames]]:
        return zip(self.items, self.names, strict=True)

    @cached_property
    def object_like_macros(self) -> Sequence[tuple[str, Definition]]:
        """Those without parameters: all of them are asked for in every unit."""
        defining = (it.facts.definitions for it, names in self._items_with_names() if names.defines)
        return [(it.name, it) for several in defining for it in several if it.kind == "macro"]

    @cached_property
    def function_like_macros(self) -> Sequence[tuple[str, FunctionMacro]]:
        """Those with parameters: all of them are asked for, too."""
        defining = (it.facts.directives.macros for it, names in self._items_with_names() if names.macros)
        return [(it.name, it) for several in defining for it in several]

    @cached_property
    def items_with_arrays(self) -> Sequence[int]:
        return [index for index, it in enumerate(self.names) if it.memory.arrays]

    @cached_property
    def items_with_dynamic_memory(self) -> Sequence[int]:
        return [index for index, it in enumerate(self.names) if it.memory.dynamic]

    @cached_property
    def tensor_memory(self) -> bool:
        return any(it.memory.tensor_memory for it in self.names)


@dataclass(frozen=True, slots=True)
class _FileRun:
    """The items of a file itself, as they stand there."""

    stretch: ItemRun
    unless: tuple[tuple[Conditions, int], ...] = ()

    def item_at(self, index: int) -> LocatedItem:
        return self.stretch.items[index]


class _Lines:
    """Names of several, each on a line of its own: one text, so that a name is found without a look at each."""

    def __init__(self, parts: Sequence[str]) -> None:
        self.text = "".join(parts)
        self.ends = [*accumulate(map(len, parts))]


@dataclass(frozen=True, slots=True)
class PlacedItemRun:
    """A stretch where it stands in a unit: the order of its first item, and what is around it.

    `unless`: as of its items, each of which is placed when somebody asks for it.
    """

    stretch: ItemRun
    order: int
    namespaces: tuple[str, ...]
    conditions: Conditions
    unless: tuple[tuple[Conditions, int], ...] = ()
    _placed: dict[int, LocatedItem] = field(default_factory=dict, compare=False)

    def item_at(self, index: int) -> LocatedItem:
        known = self._placed.get(index)
        return known if known is not None else self._placed.setdefault(index, self._place(index))

    def _place(self, index: int) -> LocatedItem:
        item, _, _, _, said, matters, speaks, slot, _ = self.stretch.items[index]
        order = self.order + index
        return LocatedItem(item, order, self.namespaces, self.conditions, said, matters, speaks, slot, self.unless)


_Run = PlacedItemRun | _FileRun
_Bearers = dict[str, list[_Run]]


class _ByName(Mapping[str, list[_T]], Generic[_T]):
    """What `pick` finds of a name in the items that bear it in one sense."""

    def __init__(
        self, sense: str, bearers: Mapping[str, _Bearers], pick: Callable[[LocatedItem, str], Iterable[_T]]
    ) -> None:
        self._sense = sense
        self._pick = pick
        self._known: dict[str, list[_T]] = {}
        self._bearers = bearers[sense]

    def __getitem__(self, name: str) -> list[_T]:
        if name not in self._known:
            self._known[name] = [it for placed in self._items_with_name(name) for it in self._pick(placed, name)]
        return self._known[name]

    def _items_with_name(self, name: str) -> Iterator[LocatedItem]:
        return (
            run.item_at(index)
            for run in self._bearers[name]
            for index in run.stretch.item_indices_by_name[self._sense][name]
        )

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


class _Named:
    """Where the items of runs have a name among their lines."""

    def __init__(self, runs: Sequence[_Run], lines: Callable[[ItemRun], _Lines]) -> None:
        self._runs = runs
        self._lines_of = lines

    @cached_property
    def name_lines(self) -> _Lines:
        return _Lines([self._lines_of(it.stretch).text for it in self._runs])

    def items_with_name(self, name: str) -> Iterator[LocatedItem]:
        text, ends, wanted = self.name_lines.text, self.name_lines.ends, f"\n{name}\n"
        at = text.find(wanted)
        while at >= 0:
            number = bisect_right(ends, at)
            start, run = ends[number - 1] if number else 0, self._runs[number]
            inner = self._lines_of(run.stretch).ends
            index = bisect_right(inner, at - start)
            yield run.item_at(index)
            at = text.find(wanted, start + inner[index])


class _ByLines(Mapping[str, list[_T]], Generic[_T]):
    """As `_ByName`; there are many names, and hardly one is asked for."""

    def __init__(self, named: _Named, pick: Callable[[LocatedItem, str], Iterable[_T]]) -> None:
        self._named = named
        self._pick = pick
        self._known: dict[str, list[_T]] = {}

    def __getitem__(self, name: str) -> list[_T]:
        if name not in self._known:
            self._known[name] = [found for it in self._named.items_with_name(name) for found in self._pick(it, name)]
        if not self._known[name]:
            raise KeyError(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name in dict.fromkeys(self._named.name_lines.text.split("\n")) if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _MergedNames(Mapping[str, list[_T]]):
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


def gather_file_symbols(items: Sequence[LocatedItem]) -> SymbolTable:
    """As `gather_symbols` has them."""
    return replace(gather_header_symbols([_FileRun(ItemRun(tuple(items)))]), tensor_memory=False)


def gather_header_symbols(runs: Sequence[_Run]) -> SymbolTable:
    """As `gather_symbols` has them."""
    bearers = {sense: _Bearers() for sense in SENSES}
    for run in runs:
        for sense, names in run.stretch.item_indices_by_name.items():
            found = bearers[sense]
            for name in names:
                found.setdefault(name, []).append(run)
    naming = _Named(runs, attrgetter("naming"))
    using = _Named(runs, attrgetter("uses"))
    stretches = [it.stretch for it in runs]
    arrays = (run.item_at(index) for run in runs for index in run.stretch.items_with_arrays)
    return SymbolTable(
        definitions=_ByName("definitions", bearers, _definitions_named),
        types=_ByName("types", bearers, _types_named),
        functions=_ByName("functions", bearers, _functions_named),
        unsaid=_ByName("unsaid", bearers, _functions_implicitly_called_by),
        prototypes=_ByName("prototypes", bearers, _prototypes_named),
        announced=_ByName("announced", bearers, _kernel_declarations_named),
        macros=_ByName("macros", bearers, _macros_named),
        plain=lambda: chain.from_iterable(it.object_like_macros for it in stretches),
        forms=lambda: chain.from_iterable(it.function_like_macros for it in stretches),
        arrays=[(it, array) for it in arrays for array in it.facts.arrays],
        dynamic=[run.item_at(index) for run in runs for index in run.stretch.items_with_dynamic_memory],
        uses=_ByLines(using, _uses),
        undefined=_ByName("undefined", bearers, _macro_changes_named),
        tensor_memory=any(it.tensor_memory for it in stretches),
        again=any(it.unless for it in runs),
        held=_ByLines(_Named(runs, attrgetter("held")), _held),
        among=lambda name: (it for those in naming.items_with_name(name) for it in those.facts.functions),
        beside=lambda name, words: [
            use for it in using.items_with_name(name) if it.names.may_have(words) for use in _uses(it, name)
        ],
    )


def with_added_symbols(known: SymbolTable, more: Sequence[PlacedItemRun]) -> SymbolTable:
    """As if these had been gathered as well."""
    came = gather_header_symbols(more)
    among = [it.among for it in (known, came) if it.among is not None]
    return SymbolTable(
        definitions=_MergedNames(known.definitions, came.definitions, _order_of_entry),
        types=_MergedNames(known.types, came.types, _order_of_pair),
        functions=_MergedNames(known.functions, came.functions, _order_of_pair),
        unsaid=_MergedNames(known.unsaid, came.unsaid, _order_of_pair),
        prototypes=_MergedNames(known.prototypes, came.prototypes, None),
        announced=_MergedNames(known.announced, came.announced, _order_of_pair),
        macros=_MergedNames(known.macros, came.macros, _order_of_pair),
        plain=lambda: chain(known.object_like_macros(), came.object_like_macros()),
        forms=lambda: chain(known.function_like_macros(), came.function_like_macros()),
        arrays=known.arrays + came.arrays,
        dynamic=known.dynamic + came.dynamic,
        uses=_MergedNames(known.uses, came.uses, _order_of_entry),
        undefined=_MergedNames(known.undefined, came.undefined, _order_of_pair),
        tensor_memory=known.tensor_memory or came.tensor_memory,
        again=known.again or came.again,
        held=_MergedNames(known.held, came.held, _order_of_pair),
        among=lambda name: (function for each in among for function in each(name)),
        beside=lambda name, words: sorted(
            known.uses_beside(name, words) + came.uses_beside(name, words), key=_order_of_entry
        ),
    )


def _order_of_entry(it: FoundDefinition | FunctionUse) -> int:
    return it.placed.order


def _order_of_pair(it: tuple[LocatedItem, object]) -> int:
    return it[0].order


def _definitions_named(placed: LocatedItem, name: str) -> Iterator[FoundDefinition]:
    return (FoundDefinition(placed, it) for it in placed.facts.definitions if it.name == name)


def _types_named(placed: LocatedItem, name: str) -> Iterator[tuple[LocatedItem, TypeDefinition]]:
    return ((placed, it) for it in placed.facts.types if it.name == name and it.scope is None)


def _functions_named(placed: LocatedItem, name: str) -> Iterator[Defined]:
    return ((placed, it) for it in placed.facts.functions if it.name == name and not it.in_place)


def _functions_implicitly_called_by(placed: LocatedItem, name: str) -> Iterator[Defined]:
    return ((placed, it) for it in placed.facts.functions if name in names_implying_call(it))


def _prototypes_named(placed: LocatedItem, name: str) -> Iterator[Prototype]:
    return (it for it in placed.facts.prototypes if it.name == name)


def _kernel_declarations_named(placed: LocatedItem, name: str) -> Iterator[tuple[LocatedItem, KernelDeclaration]]:
    return ((placed, it) for it in placed.facts.announced if it.site.name == name)


def _uses(placed: LocatedItem, name: str) -> Iterator[FunctionUse]:
    return (it for it in function_uses_in(placed) if it.name == name)


def _held(placed: LocatedItem, name: str) -> Iterator[tuple[LocatedItem, HeldKernelObject]]:
    return ((placed, it) for it in placed.facts.launching.held if it.holder.last == name)


def _macros_named(placed: LocatedItem, name: str) -> Iterator[tuple[LocatedItem, FunctionMacro]]:
    return ((placed, it) for it in placed.facts.directives.macros if it.name == name)


def _macro_changes_named(placed: LocatedItem, name: str) -> Iterator[tuple[LocatedItem, MacroChange]]:
    return ((placed, it) for it in placed.facts.directives.macro_changes if it.name == name)
