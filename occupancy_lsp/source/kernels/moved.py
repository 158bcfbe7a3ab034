"""Whether a function is another version of itself in which an edit has only moved things.

Whoever sees that need not tell what each text means: all that is named stands in the same order in the same scopes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from occupancy_lsp.source.facts.definitions import ALL_OF_NAMESPACE
from occupancy_lsp.source.facts.facts import (
    Branch,
    CallSite,
    Definition,
    Field,
    Function,
    ItemFacts,
    LocalArray,
    Passage,
    TypeDefinition,
)
from occupancy_lsp.source.facts.names import Defined, PlacedItem
from occupancy_lsp.source.kernels.alike import texts_of, variable_of
from occupancy_lsp.source.text.expressions import Expression, Joined, Opaque, Unread


class _Told(NamedTuple):
    """What something says, and the offsets in the item that belong to it."""

    said: Hashable
    at: tuple[int, ...]


class _Version(NamedTuple):
    """`body`: what stands in it, in lists of a kind; `defined`: its own definitions, with the words that bear them."""

    body: Sequence[_Told]
    defined: Sequence[tuple[str, _Told]]


def is_moved(one: Defined, other: Defined) -> bool:
    """Whether the two say the same, but for definitions whose names the other version has nowhere.

    What macros bring, the caller looks at. False, too, where a lambda or a type stands in the body.
    """
    (_, function), (_, was) = one, other
    here, there = _version(*one), _version(*other)
    if here is None or there is None or _said(here.body) != _said(there.body):
        return False
    defined, before = _known(here.defined, was.names), _known(there.defined, function.names)
    if _said(defined) != _said(before):
        return False
    return _in_order([*_places(there.body), *_places(before)], [*_places(here.body), *_places(defined)])


def _said(each: Iterable[_Told]) -> list[Hashable]:
    """With how many offsets each has."""
    return [(it.said, len(it.at)) for it in each]


def _places(each: Iterable[_Told]) -> Iterator[int]:
    return (at for it in each for at in it.at)


def _known(defined: Iterable[tuple[str, _Told]], names: Set[str]) -> list[_Told]:
    return [told for word, told in defined if word in names or word == ALL_OF_NAMESPACE]


def _in_order(before: Sequence[int], now: Sequence[int]) -> bool:
    """Whether what stood before something else, or at the same place, does so still."""
    was, at = zip(*sorted({*zip(before, now, strict=True)}), strict=True)
    return [*was] == sorted({*was}) and [*at] == sorted({*at})


def _version(placed: PlacedItem, function: Function) -> _Version | None:
    """None: a lambda stands in it, or a type that is no alias, which are others wherever they stand."""
    return function.beside.ask("version", lambda: _read(placed.facts, function))


def _read(facts: ItemFacts, function: Function) -> _Version | None:
    calls = (*function.calls, *function.alone, *function.loose)
    if any(argument.startswith("[") for it in calls for argument in it.arguments or ()):
        return None
    types = [it for it in facts.types if it.scope is not None]
    if any(it.alias is None or it.alias.fields is not None or it.enum for it in types):
        return None
    body = (
        _Told((), (function.body.start, function.body.end)),
        *map(_call, calls),
        *map(_branch, function.branches),
        *map(_passage, function.passages),
        *(_Told(it.name, it.uses) for it in function.parameters),
        *map(_array, function.arrays),
        *(_Told(_expression(it.number), (it.start,)) for it in function.numbered),
        *map(_alias, types),
    )
    return _Version(body, [*map(_definition, facts.scoped)])


def _call(site: CallSite) -> _Told:
    return _Told((site.name, site.on, site.template, site.arguments), (site.start,))


def _branch(it: Branch) -> _Told:
    said = it.condition.text, it.wanted, it.constexpr, it.at_run_time
    return _Told(said, (it.span.start, it.span.end))


def _passage(it: Passage) -> _Told:
    said = _expression(it.condition), it.at_run_time, it.conditions
    return _Told(said, (it.span.start, it.span.end))


def _array(it: LocalArray) -> _Told:
    said = _field(it.field), it.dynamic, it.conditions, it.points, it.stored, len(it.uses)
    return _Told(said, (it.field.span.start, *it.uses, *it.reads))


def _field(it: Field) -> Hashable:
    type_ = it.type.text, it.type.pointer, it.type.union
    members = None if it.type.fields is None else tuple(map(_field, it.type.fields))
    return it.name, type_, members, (*texts_of(it.extents),), (*texts_of(it.alignment),), it.bits, it.initial


def _alias(it: TypeDefinition) -> _Told:
    said = it.name, (*texts_of(it.alias), *texts_of(it.extents)), it.conditions, it.template, it.owner
    scope = (it.scope.start, it.scope.end) if it.scope is not None else ()
    return _Told(said, (it.body.start, *scope))


def _definition(it: Definition) -> tuple[str, _Told]:
    word = it.name if it.name == ALL_OF_NAMESPACE else variable_of(it.name) or it.name
    said = it.name, it.kind, it.type, _expression(it.value), it.declares, it.owner, it.conditions
    scope = (it.scope.start, it.scope.end) if it.scope is not None else ()
    return word, _Told(said, (it.start, *scope))


def _expression(it: Expression | None) -> Hashable:
    """What it says, wherever it stands."""
    if isinstance(it, Unread):
        return it.text
    return (*texts_of(it), it.reason) if isinstance(it, Opaque | Joined) else (*texts_of(it),)
