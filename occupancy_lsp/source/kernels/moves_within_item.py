"""Whether an item is another version of itself in which an edit has only moved things.

Who sees that need not tell what each text means: all that is named stands in the same order in the same scopes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set, Sized
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from itertools import chain, compress
from operator import attrgetter, is_not, ne, sub
from typing import Any, Literal, NamedTuple, TypeVar, cast, get_args, get_origin, get_type_hints

from msgspec import structs

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.record import Record
from occupancy_lsp.source.kernels.semantic_hash import variable_of_member_or_element
from occupancy_lsp.source.lower.array_accesses import array_accesses
from occupancy_lsp.source.lower.item_facts import CallSite, Definition, Function, ItemFacts, Lambda
from occupancy_lsp.source.lower.variables import ALL_OF_NAMESPACE
from occupancy_lsp.source.syntax.known_value import Place

_T = TypeVar("_T")
_NESTED = Record, tuple
_OFFSETS = {"start", "end", "base", "tested"}  # fields of facts that count in the item
_SEVERAL = {"uses", "reads", "special", "under"}  # those that hold several such
_PLAIN = {str, int, bool, bytes, float, type(None)}
# What is looked at otherwise; and texts of bodies, of which who asks for a function by its name takes the latest.
_ASIDE = {"names", "scoped", "shown", "code", "device_code", "destinations"}
_OF_LAMBDA = {"handed", "variable"}  # which the call says that it is handed to, and the definition of the variable


class _Contents(NamedTuple):
    """What facts say, and the offsets in them."""

    said: list[Hashable]
    at: list[int]


class _Version(NamedTuple):
    """`defined`: the definitions that hold within braces, with the words that bear them; `rest`: all else, which is
    told only of versions in which those are the same."""

    defined: Sequence[tuple[str, _Contents]]
    names: Set[str]
    rest: Callable[[], _Contents]


class Moves:
    """From where things in an item stood to where they stand now, both ascending: those that moved otherwise than what
    stood before them."""

    def __init__(self, slot: int, before: Sequence[int], now: Sequence[int]) -> None:
        self._slot = slot
        by = [None, *map(sub, now, before)]
        others = [*map(ne, by, by[1:])]
        self._before = [*compress(before, others)]
        self._now = [*compress(now, others)]

    @property
    def any(self) -> bool:
        return self._before != self._now

    def relocated_offset(self, offset: int) -> int:
        """What stands between two things moved with the first of them."""
        if not self._before:
            return offset
        index = max(bisect_right(self._before, offset) - 1, 0)
        return offset + self._now[index] - self._before[index]

    def of(self, it: _T) -> _T:
        """The same with the places in the item as they are now."""
        return cast(_T, self._relocate(it, {}))

    def _relocate(self, it: Any, known: dict[int, Any]) -> Any:
        """`known`: what has been moved, by identity: instances of a kernel share most of what they say."""
        kind = type(it)
        if kind in _PLAIN:
            return it
        if kind is Place:
            return self._relocate_place(it) if it.item == self._slot else it
        if id(it) in known:
            return known[id(it)]
        known[id(it)] = found = it
        if kind is tuple:
            moved = [self._relocate(each, known) for each in it]
            found = tuple(moved) if any(map(is_not, it, moved)) else it
        elif names := _fields_holding_places(kind):
            each = [getattr(it, name) for name in names]
            moved = [self._relocate(was, known) for was in each]
            others = {name: now for name, was, now in zip(names, each, moved, strict=True) if now is not was}
            found = _with_fields_replaced(it, others) if others else it
        known[id(it)] = found
        return found

    def _relocate_place(self, it: Place) -> Place:
        """Where nothing is known to end or start, it ends with what is in it."""
        last = bisect_left(self._before, it.end)
        known = self._before[last : last + 1] == [it.end]
        start, end = (
            self.relocated_offset(it.start),
            self.relocated_offset(it.end) if known or it.start == it.end else self.relocated_offset(it.end - 1) + 1,
        )
        return it if (start, end) == (it.start, it.end) else Place(it.item, start, end)


class _AtOnePlace(Moves):
    """From wherever things in an item stood to one place."""

    def __init__(self, place: Place) -> None:
        super().__init__(place.item, (), ())
        self._there = place

    def _relocate_place(self, it: Place) -> Place:
        return self._there


def relocated_to_place(it: _T, place: Place) -> _T:
    """The same as if all that stands in the item of the place stood there."""
    return _AtOnePlace(place).of(it)


def _with_fields_replaced(it: Any, others: Mapping[str, object]) -> Any:
    return structs.replace(it, **others) if isinstance(it, Record) else replace(it, **others)


@remembered(256)
def _fields_holding_places(kind: type) -> tuple[str, ...]:
    """The fields of a record or dataclass in which a place may stand; none of anything else."""
    hints = get_type_hints(kind) if (names := _field_names(kind)) else {}
    return tuple(it for it in names if _may_hold_place(hints[it], (kind,)))


def _may_hold_place(hint: object, within: tuple[type, ...]) -> bool:
    """`within`: the kinds of which fields are looked at: another of them holds what they do."""
    if inner := get_args(hint):
        return get_origin(hint) is not Literal and any(_may_hold_place(it, within) for it in inner)
    if not isinstance(hint, type):
        return hint is not ...
    if hint in _PLAIN:
        return False
    if hint is Place or hint in within or hint.__subclasses__() or not (names := _field_names(hint)):
        return True
    hints = get_type_hints(hint)
    return any(_may_hold_place(hints[it], (*within, hint)) for it in names)


def _field_names(kind: type) -> tuple[str, ...]:
    if issubclass(kind, Record):
        return kind.__struct_fields__
    return tuple(it.name for it in fields(kind)) if is_dataclass(kind) else ()


def item_slots_of_places_in(it: object) -> frozenset[int]:
    """Of the items in which something stands that it names a place of."""
    found: set[int] = set()
    todo, seen = [it], set[int]()
    while todo:
        one = todo.pop()
        if isinstance(one, Place):
            found.add(one.item)
        elif id(one) not in seen:
            seen.add(id(one))
            todo += one if isinstance(one, tuple) else map(partial(getattr, one), _fields_holding_places(type(one)))
    return frozenset(found)


def _have_same_block_structure(one: Function, other: Function) -> bool:
    """Whether they say as much, and the blocks in them start and end in the same order: most that say something else
    do not, which is quick to see."""
    if [*map(len, _several_in(one))] != [*map(len, _several_in(other))]:
        return False
    return _order_of_blocks(one) == _order_of_blocks(other)


def _several_in(function: Function) -> tuple[Sized, ...]:
    flow = function.flow
    return function.mentions.calls, flow.branches, flow.passages, flow.jumps, function.memory.arrays


def _order_of_blocks(function: Function) -> Sequence[int]:
    """By their numbers, in the order of where they start and end."""

    def compute_order() -> Sequence[int]:
        flow = function.flow
        spans = [it.span for held in (flow.branches, flow.passages) for it in held]
        spans += (it.passed for it in flow.jumps)
        at = [*(it.start for it in spans), *(it.end for it in spans)]
        return sorted(range(len(at)), key=at.__getitem__)

    return function.remembered_answers.ask("order of blocks", compute_order)


def moves_between_versions(slot: int, before: ItemFacts, now: ItemFacts) -> Moves | None:
    """Where all of an item stands now that came in a slot; None: it says something else than the one before, but for
    definitions whose names the other of the two has nowhere.

    What macros bring, the caller looks at.
    """
    if len(before.functions) != len(now.functions) or not all(
        map(_have_same_block_structure, before.functions, now.functions)
    ):
        return None
    defined = _scoped_definitions(now)
    here = _Version(defined, names_in_functions(now), cache(lambda: _contents_and_offsets(now)))
    there = _Version(
        _remembered_scoped_definitions(before),
        names_in_functions(before),
        lambda: before.remembered_answers.ask("rest", lambda: _contents_and_offsets(before)),
    )
    pairs = _matching_offsets(here, there)
    if pairs is None:  # its functions are compared next; an item that stays as it was, the next edit replaces
        now.remembered_answers.ask("defined", lambda: defined)
        return None
    return Moves(slot, *pairs)


def names_in_functions(facts: ItemFacts) -> frozenset[str]:
    """Of its functions and of what stands within their braces."""
    return frozenset(facts.locals).union(*(it.mentions.names for it in facts.functions))


def _matching_offsets(here: _Version, there: _Version) -> tuple[Sequence[int], Sequence[int]] | None:
    """Where things stood and where they stand, both ascending, if that is all in which the versions differ."""
    defined, before = (
        _contents_of_known_definitions(here.defined, there.names),
        _contents_of_known_definitions(there.defined, here.names),
    )
    if [it.said for it in defined] != [it.said for it in before] or here.rest().said != there.rest().said:
        return None
    was = [*there.rest().at, *chain.from_iterable(it.at for it in before)]
    at = [*here.rest().at, *chain.from_iterable(it.at for it in defined)]
    either = sorted({*zip(was, at, strict=True)})
    was, at = [it for it, _ in either], [it for _, it in either]
    return (was, at) if was == sorted({*was}) and at == sorted({*at}) else None


def _contents_of_known_definitions(defined: Iterable[tuple[str, _Contents]], names: Set[str]) -> list[_Contents]:
    return [told for word, told in defined if word in names or word == ALL_OF_NAMESPACE]


def _remembered_scoped_definitions(facts: ItemFacts) -> Sequence[tuple[str, _Contents]]:
    return facts.remembered_answers.ask("defined", lambda: _scoped_definitions(facts))


def _scoped_definitions(facts: ItemFacts) -> Sequence[tuple[str, _Contents]]:
    return [(_name_of_definition(it), _contents_and_offsets(it)) for it in facts.scoped]


def _name_of_definition(it: Definition) -> str:
    return it.name if it.name == ALL_OF_NAMESPACE else variable_of_member_or_element(it.name) or it.name


def _contents_and_offsets(it: object) -> _Contents:
    told = _Contents([], [])
    try:
        _append_contents(it, told)
    except RecursionError:  # a sum of hundreds of terms: it counts as another each time
        return _Contents([object()], [])
    return told


def _is_lambda_text(text: str) -> bool:
    return text.startswith("[")


def _append_contents(it: object, told: _Contents) -> None:
    _appender_for_type(type(it))(it, told)


@remembered(256)
def _appender_for_type(kind: type) -> Callable[[Any, _Contents], None]:
    if issubclass(kind, Record):
        of_fields = _appender_of_fields(kind)
        if issubclass(kind, CallSite):
            return partial(_append_call, of_fields)
        if issubclass(kind, Function):
            return partial(_append_function, of_fields)
        return _append_definition if issubclass(kind, Definition) else of_fields
    if issubclass(kind, str):
        return _append_text
    return _append_each if issubclass(kind, tuple) else _append_plain


def _append_call(of_fields: Callable[[Any, _Contents], None], it: CallSite, told: _Contents) -> None:
    if _is_lambda_text(it.on) or any(map(_is_lambda_text, it.arguments or ())):
        of_fields(it, told)
    else:
        told.said.append((it.name, it.template, it.arguments, it.on))
        told.at.append(it.start)


def _append_function(of_fields: Callable[[Any, _Contents], None], it: Function, told: _Contents) -> None:
    of_fields(it, told)
    picked = array_accesses(it)
    _append_contents(picked.accesses, told)
    _append_contents(picked.assigned, told)


def _append_definition(it: Definition, told: _Contents) -> None:
    told.said.append((it.name, it.kind, it.owner, it.conditions, it.type, it.declares, it.array))
    told.at.append(it.start)
    _append_contents(it.value, told)
    _append_contents(it.scope, told)


def _appender_of_fields(kind: type[Record]) -> Callable[[Any, _Contents], None]:
    aside = _ASIDE | _OF_LAMBDA if issubclass(kind, Lambda) else _ASIDE
    names = [it for it in kind.__struct_fields__ if it not in aside]
    offsets, several = (
        _field_getter(it for it in names if it in _OFFSETS),
        _field_getter(it for it in names if it in _SEVERAL),
    )
    others = _field_getter(it for it in names if it not in _OFFSETS and it not in _SEVERAL)

    def append_fields(it: Record, told: _Contents) -> None:
        said, at = told
        said.append(kind)
        at.extend(offsets(it))
        for value in several(it):
            said.append(len(value))
            at.extend(value)
        for value in others(it):
            if value and isinstance(value, _NESTED):
                _append_contents(value, told)
            else:
                said.append(value)

    return append_fields


def _field_getter(names: Iterable[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what reads these fields of an object."""
    match [*names]:
        case []:
            return lambda it: ()
        case [name]:
            return lambda it: (getattr(it, name),)
        case several:
            return attrgetter(*several)


def _append_text(it: str, told: _Contents) -> None:
    told.said.append(it.partition("{")[0] if _is_lambda_text(it) else it)  # what stands in a lambda, the facts say


def _append_each(it: tuple[object, ...], told: _Contents) -> None:
    told.said.append(len(it))
    for each in it:
        _append_contents(each, told)


def _append_plain(it: Hashable, told: _Contents) -> None:
    told.said.append(it)
