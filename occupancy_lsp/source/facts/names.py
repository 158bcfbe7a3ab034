"""The file-level names that items define, gathered: of the file itself, or of the headers that it includes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from occupancy_lsp.source.facts.facts import (
    CallSite,
    Conditions,
    Definition,
    Function,
    FunctionMacro,
    Held,
    ItemFacts,
    LocalArray,
    Prototype,
    TypeDefinition,
)

_T = TypeVar("_T")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class PlacedItem:
    """An item's facts and where the item stands: its order in the file, its namespaces, the conditions around it.

    `matters`: other items can depend on it. `speaks`: it says something of a kernel.
    """

    item: int
    order: int
    namespaces: tuple[str, ...]
    conditions: Conditions
    facts: ItemFacts
    matters: bool
    speaks: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A definition at file level and the item that holds it."""

    standing: PlacedItem
    definition: Definition

    @property
    def is_default(self) -> bool:
        """Whether it stands under `#ifndef` of its own name."""
        return (f"!defined({self.definition.name})", True) in self.standing.conditions


@dataclass(frozen=True, slots=True)
class Use:
    """Where a function is called, launched or named: inside `holder`, None at file level."""

    standing: PlacedItem
    holder: Function | None
    site: CallSite


Defined = tuple[PlacedItem, Function]


@dataclass(slots=True, eq=False)
class Names:
    """Treat as frozen once gathered. `unsaid`: what is called where a name stands, though no call of it shows."""

    definitions: dict[str, list[Found]] = field(default_factory=dict)
    types: dict[str, list[tuple[PlacedItem, TypeDefinition]]] = field(default_factory=dict)
    functions: dict[str, list[Defined]] = field(default_factory=dict)
    unsaid: dict[str, list[Defined]] = field(default_factory=dict)
    prototypes: dict[str, list[Prototype]] = field(default_factory=dict)
    macros: dict[str, list[tuple[PlacedItem, FunctionMacro]]] = field(default_factory=dict)
    arrays: list[tuple[PlacedItem, LocalArray]] = field(default_factory=list)
    uses: dict[str, list[Use]] = field(default_factory=dict)
    undefined: frozenset[str] = frozenset()
    packs: bool = False
    held: list[tuple[PlacedItem, Held]] = field(default_factory=list)
    _naming: dict[str, tuple[Function, ...]] = field(default_factory=dict)

    def by_name(self) -> tuple[Mapping[str, object], ...]:
        """What each name means, in each of its senses."""
        return self.definitions, self.types, self.functions, self.prototypes, self.macros

    def naming(self, name: str) -> tuple[Function, ...]:
        """The functions of other names that name it."""
        if name not in self._naming:
            every = (function for several in self.functions.values() for _, function in several)
            self._naming[name] = tuple(it for it in every if name in it.names and it.name != name)
        return self._naming[name]

    def exchanged(self, gone: PlacedItem, came: PlacedItem) -> Names | None:
        """What is gathered where `came` stands in place of `gone`; None: they say more than functions and calls."""
        if not (_only_defines_functions(gone.facts) and _only_defines_functions(came.facts)):
            return None
        was, now = gather((gone,)), gather((came,))
        return replace(
            self,
            functions=_exchanged(self.functions, was.functions, now.functions, lambda it: it[0].order),
            unsaid=_exchanged(self.unsaid, was.unsaid, now.unsaid, lambda it: it[0].order),
            uses=_exchanged(self.uses, was.uses, now.uses, lambda it: it.standing.order),
            _naming={},
        )


def _only_defines_functions(facts: ItemFacts) -> bool:
    file_wide = any(kind.scope is None for kind in facts.types)
    others = facts.definitions or facts.macros or facts.prototypes or facts.arrays or facts.undefined or facts.packs
    return not (file_wide or others or facts.held)


def _exchanged(
    known: dict[str, list[_T]],
    gone: Mapping[str, list[_T]],
    came: Mapping[str, list[_T]],
    order: Callable[[_T], int],
) -> dict[str, list[_T]]:
    """`known` with what came, of one item, in place of what is gone, of the same place."""
    if not gone and not came:
        return known
    found = dict(known)
    for name in gone.keys() | came.keys():
        at = {order(it) for it in (*gone.get(name, ()), *came.get(name, ()))}
        rest = [it for it in known.get(name, ()) if order(it) not in at]
        found[name] = sorted((*rest, *came.get(name, ())), key=order)
        if not found[name]:
            del found[name]
    return found


def gather(placed_items: Iterable[PlacedItem]) -> Names:
    found = Names()
    undefined: set[str] = set()
    for standing in placed_items:
        facts = standing.facts
        for definition in facts.definitions:
            found.definitions.setdefault(definition.name, []).append(Found(standing, definition))
        for kind in facts.types:
            if kind.scope is None:
                found.types.setdefault(kind.name, []).append((standing, kind))
        for function in facts.functions:
            found.functions.setdefault(function.name, []).append((standing, function))
            for name in _called_by(function):
                found.unsaid.setdefault(name, []).append((standing, function))
        for prototype in facts.prototypes:
            found.prototypes.setdefault(prototype.name, []).append(prototype)
        for macro in facts.macros:
            found.macros.setdefault(macro.name, []).append((standing, macro))
        for use in _uses(standing):
            found.uses.setdefault(use.site.name.rsplit("::", 1)[-1], []).append(use)
        found.arrays += [(standing, array) for array in facts.arrays]
        found.held += [(standing, it) for it in facts.held]
        undefined.update(facts.undefined)
        found.packs = found.packs or facts.packs
    found.undefined = frozenset(undefined)
    return found


def is_called_unsaid(function: Function) -> bool:
    """Whether it is an operator, a constructor or a destructor."""
    owner = class_of(function)
    return function.name.startswith("operator") or function.name in (owner, f"~{owner}")


def class_of(function: Function) -> str:
    """The class of a method; "" for any other function."""
    return function.owner[-1] if function.owner else ""


def _called_by(function: Function) -> Iterable[str]:
    """The names whose mention may call the function unsaid: its class, or the types that its operator takes."""
    if not is_called_unsaid(function):
        return ()
    if owner := class_of(function):
        return (owner,)
    return {word for it in function.parameters for word in _IDENTIFIER.findall(it.type)}


def _uses(standing: PlacedItem) -> Iterator[Use]:
    facts = standing.facts
    for function in facts.functions:
        for site in function.calls:
            yield Use(standing, function, site)
    for launch in facts.launches:
        site = CallSite(launch.kernel, launch.template, launch.arguments, launch.span.start)
        yield Use(standing, holder_of(facts, site.start), site)
    for site in facts.mentions:
        yield Use(standing, holder_of(facts, site.start), site)


def holder_of(facts: ItemFacts, offset: int) -> Function | None:
    """The innermost function whose body holds `offset`."""
    around = [f for f in facts.functions if f.body.start <= offset < f.body.end]
    return max(around, key=lambda f: f.body.start, default=None)
