"""Whether an item is another version of itself in which an edit has only moved things.

Who sees that need not tell what each text means: all that is named stands in the same order in the same scopes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from itertools import chain, compress
from operator import attrgetter, is_not, ne, sub
from typing import Any, Literal, NamedTuple, TypeVar, cast, get_args, get_origin, get_type_hints

from msgspec import structs

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.record import Record
from occupancy_lsp.source.kernels.semantic_hash import variable_of
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


class _Told(NamedTuple):
    """What facts say, and the offsets in them."""

    said: list[Hashable]
    at: list[int]


class _Version(NamedTuple):
    """`defined`: the definitions that hold within braces, with the words that bear them; `rest`: all else, which is
    told only of versions in which those are the same."""

    defined: Sequence[tuple[str, _Told]]
    names: Set[str]
    rest: Callable[[], _Told]


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

    def at(self, offset: int) -> int:
        """What stands between two things moved with the first of them."""
        if not self._before:
            return offset
        index = max(bisect_right(self._before, offset) - 1, 0)
        return offset + self._now[index] - self._before[index]

    def of(self, it: _T) -> _T:
        """The same with the places in the item as they are now."""
        return cast(_T, self._of(it, {}))

    def _of(self, it: Any, known: dict[int, Any]) -> Any:
        """`known`: what has been moved, by identity: instances of a kernel share most of what they say."""
        kind = type(it)
        if kind in _PLAIN:
            return it
        if kind is Place:
            return self._place(it) if it.item == self._slot else it
        if id(it) in known:
            return known[id(it)]
        known[id(it)] = found = it
        if kind is tuple:
            moved = [self._of(each, known) for each in it]
            found = tuple(moved) if any(map(is_not, it, moved)) else it
        elif names := _parts(kind):
            each = [getattr(it, name) for name in names]
            moved = [self._of(was, known) for was in each]
            others = {name: now for name, was, now in zip(names, each, moved, strict=True) if now is not was}
            found = _copied(it, others) if others else it
        known[id(it)] = found
        return found

    def _place(self, it: Place) -> Place:
        """Where nothing is known to end or start, it ends with what is in it."""
        last = bisect_left(self._before, it.end)
        known = self._before[last : last + 1] == [it.end]
        start, end = self.at(it.start), self.at(it.end) if known or it.start == it.end else self.at(it.end - 1) + 1
        return it if (start, end) == (it.start, it.end) else Place(it.item, start, end)


class _AtOnePlace(Moves):
    """From wherever things in an item stood to one place."""

    def __init__(self, place: Place) -> None:
        super().__init__(place.item, (), ())
        self._there = place

    def _place(self, it: Place) -> Place:
        return self._there


def at_one_place(it: _T, place: Place) -> _T:
    """The same as if all that stands in the item of the place stood there."""
    return _AtOnePlace(place).of(it)


def _copied(it: Any, others: Mapping[str, object]) -> Any:
    return structs.replace(it, **others) if isinstance(it, Record) else replace(it, **others)


@remembered(256)
def _parts(kind: type) -> tuple[str, ...]:
    """The fields of a record or dataclass in which a place may stand; none of anything else."""
    hints = get_type_hints(kind) if (names := _fields(kind)) else {}
    return tuple(it for it in names if _may_hold_place(hints[it], (kind,)))


def _may_hold_place(hint: object, within: tuple[type, ...]) -> bool:
    """`within`: the kinds of which fields are looked at: another of them holds what they do."""
    if inner := get_args(hint):
        return get_origin(hint) is not Literal and any(_may_hold_place(it, within) for it in inner)
    if not isinstance(hint, type):
        return hint is not ...
    if hint in _PLAIN:
        return False
    if hint is Place or hint in within or hint.__subclasses__() or not (names := _fields(hint)):
        return True
    hints = get_type_hints(hint)
    return any(_may_hold_place(hints[it], (*within, hint)) for it in names)


def _fields(kind: type) -> tuple[str, ...]:
    if issubclass(kind, Record):
        return kind.__struct_fields__
    return tuple(it.name for it in fields(kind)) if is_dataclass(kind) else ()


def slots_in(it: object) -> frozenset[int]:
    """Of the items in which something stands that it names a place of."""
    found: set[int] = set()
    todo, seen = [it], set[int]()
    while todo:
        one = todo.pop()
        if isinstance(one, Place):
            found.add(one.item)
        elif id(one) not in seen:
            seen.add(id(one))
            todo += one if isinstance(one, tuple) else map(partial(getattr, one), _parts(type(one)))
    return frozenset(found)


def _have_same_surroundings(one: Function, other: Function) -> bool:
    """Whether they say as much, and the blocks in them start and end in the same order: most that say something else
    do not, which is quick to see."""
    if any(len(getattr(one, it)) != len(getattr(other, it)) for it in ("calls", "branches", "passages", "arrays")):
        return False
    return _order_of_blocks(one) == _order_of_blocks(other)


def _order_of_blocks(function: Function) -> Sequence[int]:
    """By their numbers, in the order of where they start and end."""

    def ordered() -> Sequence[int]:
        spans = [it.span for held in (function.branches, function.passages) for it in held]
        at = [*(it.start for it in spans), *(it.end for it in spans)]
        return sorted(range(len(at)), key=at.__getitem__)

    return function.beside.ask("order of blocks", ordered)


def moves(slot: int, before: ItemFacts, now: ItemFacts) -> Moves | None:
    """Where all of an item stands now that came in a slot; None: it says something else than the one before, but for
    definitions whose names the other of the two has nowhere.

    What macros bring, the caller looks at.
    """
    if len(before.functions) != len(now.functions) or not all(
        map(_have_same_surroundings, before.functions, now.functions)
    ):
        return None
    defined = _defined(now)
    here = _Version(defined, names_in(now), cache(lambda: _told(now)))
    there = _Version(_defined_in(before), names_in(before), lambda: before.beside.ask("rest", lambda: _told(before)))
    pairs = _pairs(here, there)
    if pairs is None:  # its functions are compared next; an item that stays as it was, the next edit replaces
        now.beside.ask("defined", lambda: defined)
        return None
    return Moves(slot, *pairs)


def names_in(facts: ItemFacts) -> frozenset[str]:
    """Of its functions and of what stands within their braces."""
    return frozenset(facts.locals).union(*(it.names for it in facts.functions))


def _pairs(here: _Version, there: _Version) -> tuple[Sequence[int], Sequence[int]] | None:
    """Where things stood and where they stand, both ascending, if that is all in which the versions differ."""
    defined, before = _known(here.defined, there.names), _known(there.defined, here.names)
    if [it.said for it in defined] != [it.said for it in before] or here.rest().said != there.rest().said:
        return None
    was = [*there.rest().at, *chain.from_iterable(it.at for it in before)]
    at = [*here.rest().at, *chain.from_iterable(it.at for it in defined)]
    either = sorted({*zip(was, at, strict=True)})
    was, at = [it for it, _ in either], [it for _, it in either]
    return (was, at) if was == sorted({*was}) and at == sorted({*at}) else None


def _known(defined: Iterable[tuple[str, _Told]], names: Set[str]) -> list[_Told]:
    return [told for word, told in defined if word in names or word == ALL_OF_NAMESPACE]


def _defined_in(facts: ItemFacts) -> Sequence[tuple[str, _Told]]:
    return facts.beside.ask("defined", lambda: _defined(facts))


def _defined(facts: ItemFacts) -> Sequence[tuple[str, _Told]]:
    return [(_word(it), _told(it)) for it in facts.scoped]


def _word(it: Definition) -> str:
    return it.name if it.name == ALL_OF_NAMESPACE else variable_of(it.name) or it.name


def _told(it: object) -> _Told:
    told = _Told([], [])
    try:
        _tell(it, told)
    except RecursionError:  # a sum of hundreds of terms: it counts as another each time
        return _Told([object()], [])
    return told


def _is_lambda(text: str) -> bool:
    return text.startswith("[")


def _tell(it: object, told: _Told) -> None:
    _teller(type(it))(it, told)


@remembered(256)
def _teller(kind: type) -> Callable[[Any, _Told], None]:
    if issubclass(kind, Record):
        of_fields = _of_fields(kind)
        if issubclass(kind, CallSite):
            return partial(_tell_call, of_fields)
        if issubclass(kind, Function):
            return partial(_tell_function, of_fields)
        return _tell_definition if issubclass(kind, Definition) else of_fields
    if issubclass(kind, str):
        return _tell_text
    return _tell_each if issubclass(kind, tuple) else _tell_plain


def _tell_call(of_fields: Callable[[Any, _Told], None], it: CallSite, told: _Told) -> None:
    if _is_lambda(it.on) or any(map(_is_lambda, it.arguments or ())):
        of_fields(it, told)
    else:
        told.said.append((it.name, it.template, it.arguments, it.on))
        told.at.append(it.start)


def _tell_function(of_fields: Callable[[Any, _Told], None], it: Function, told: _Told) -> None:
    of_fields(it, told)
    picked = array_accesses(it)
    _tell(picked.accesses, told)
    _tell(tuple(access.destinations() for access in picked.accesses), told)
    _tell(picked.assigned, told)


def _tell_definition(it: Definition, told: _Told) -> None:
    told.said.append((it.name, it.kind, it.owner, it.conditions, it.type, it.declares, it.array))
    told.at.append(it.start)
    _tell(it.value, told)
    _tell(it.scope, told)


def _of_fields(kind: type[Record]) -> Callable[[Any, _Told], None]:
    aside = _ASIDE | _OF_LAMBDA if issubclass(kind, Lambda) else _ASIDE
    names = [it for it in kind.__struct_fields__ if it not in aside]
    offsets, several = _values(it for it in names if it in _OFFSETS), _values(it for it in names if it in _SEVERAL)
    others = _values(it for it in names if it not in _OFFSETS and it not in _SEVERAL)

    def tell(it: Record, told: _Told) -> None:
        said, at = told
        said.append(kind)
        at.extend(offsets(it))
        for value in several(it):
            said.append(len(value))
            at.extend(value)
        for value in others(it):
            if value and isinstance(value, _NESTED):
                _tell(value, told)
            else:
                said.append(value)

    return tell


def _values(names: Iterable[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what reads these fields of an object."""
    match [*names]:
        case []:
            return lambda it: ()
        case [name]:
            return lambda it: (getattr(it, name),)
        case several:
            return attrgetter(*several)


def _tell_text(it: str, told: _Told) -> None:
    told.said.append(it.partition("{")[0] if _is_lambda(it) else it)  # what stands in a lambda, the facts say


def _tell_each(it: tuple[object, ...], told: _Told) -> None:
    told.said.append(len(it))
    for each in it:
        _tell(each, told)


def _tell_plain(it: Hashable, told: _Told) -> None:
    told.said.append(it)
