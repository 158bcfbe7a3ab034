"""The file-level names that items define, gathered: of the file itself, or of the headers that it includes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True)
class Standing:
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

    standing: Standing
    definition: Definition

    @property
    def is_default(self) -> bool:
        """Whether it stands under `#ifndef` of its own name."""
        return (f"!defined({self.definition.name})", True) in self.standing.conditions


@dataclass(frozen=True, slots=True)
class Use:
    """Where a function is called, launched or named: inside `holder`, None at file level."""

    standing: Standing
    holder: Function | None
    site: CallSite


@dataclass(slots=True, eq=False)
class Names:
    """Treat as frozen once gathered."""

    definitions: dict[str, list[Found]] = field(default_factory=dict)
    types: dict[str, list[tuple[Standing, TypeDefinition]]] = field(default_factory=dict)
    functions: dict[str, list[tuple[Standing, Function]]] = field(default_factory=dict)
    prototypes: dict[str, list[Prototype]] = field(default_factory=dict)
    macros: dict[str, list[tuple[Standing, FunctionMacro]]] = field(default_factory=dict)
    arrays: list[tuple[Standing, LocalArray]] = field(default_factory=list)
    uses: dict[str, list[Use]] = field(default_factory=dict)
    undefined: frozenset[str] = frozenset()
    packs: bool = False
    held: list[tuple[Standing, Held]] = field(default_factory=list)

    def by_name(self) -> tuple[Mapping[str, object], ...]:
        """What each name means, in each of its senses."""
        return self.definitions, self.types, self.functions, self.prototypes, self.macros


def gather(standings: Iterable[Standing]) -> Names:
    found = Names()
    undefined: set[str] = set()
    for standing in standings:
        facts = standing.facts
        for definition in facts.definitions:
            found.definitions.setdefault(definition.name, []).append(Found(standing, definition))
        for kind in facts.types:
            if kind.scope is None:
                found.types.setdefault(kind.name, []).append((standing, kind))
        for function in facts.functions:
            found.functions.setdefault(function.name, []).append((standing, function))
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


def _uses(standing: Standing) -> Iterator[Use]:
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
