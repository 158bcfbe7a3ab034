"""What an item says after an edit of a few statements, by what these say now and what all of it said before."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import TypeVar

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.record import Record
from occupancy_lsp.source.facts.assembly import alone, standing_alone, tensor_memory
from occupancy_lsp.source.facts.element_accesses import leaves, with_picks
from occupancy_lsp.source.facts.facts import (
    CallSite,
    Function,
    ItemFacts,
    LocalArray,
    Parameter,
    TypeDefinition,
)
from occupancy_lsp.source.facts.functions import (
    MOST_APPLIED,
    called,
    choosing,
    code_followed,
    identifiers,
    indexed,
    is_worked_out,
    otherwise,
    outside_of_conditions,
    texts_shown,
    with_index,
    without_index,
)
from occupancy_lsp.source.facts.passages import known_at_run_time, may_be_left_out
from occupancy_lsp.source.facts.preprocessor import Regions
from occupancy_lsp.source.facts.sections import Place, Section
from occupancy_lsp.source.facts.shifting import Edit, Unsure, shifted
from occupancy_lsp.source.text.masks import Masked
from occupancy_lsp.source.text.nodes import Nodes
from occupancy_lsp.source.text.span import Span

_T = TypeVar("_T")
_R = TypeVar("_R", bound=Record)
_START = attrgetter("start")
_OF_BODY = attrgetter("body.start")
_OF_CONDITION = attrgetter("condition.base")
_OF_SPAN = attrgetter("span.start")


@dataclass(frozen=True, slots=True)
class Tally:
    """What a function says, counted. `words`: how often each identifier stands in it, and how often in its `head`;
    `standing`: those that are whole statements; `elements`, `bare`: members with an index, and without one; `called`:
    names; `outside`: words of its template's parameters, outside of conditions. `known`: names of what only the running
    kernel knows."""

    words: Counter[str]
    head: Counter[str]
    standing: tuple[CallSite, ...]
    elements: Counter[bytes]
    bare: Counter[bytes]
    called: Counter[str]
    outside: Counter[str]
    known: frozenset[bytes]


def tally(function: Function, masked: Masked, nodes: Nodes) -> Tally:
    head, body = function.head, function.body
    names = identifiers(masked.code, head.start, body.end)
    code = masked.code[body.start : body.end]
    return Tally(
        words=Counter({it: len(those) for it, those in names.items()}),
        head=Counter({it: bisect_left(those, body.start) for it, those in names.items()}),
        standing=tuple(standing_alone(nodes, body)),
        elements=with_index(code),
        bare=without_index(code),
        called=called(function.calls),
        outside=outside_of_conditions(function.template or (), names, body, function.branches),
        known=_known(masked, body, function, function.parameters, function.arrays),
    )


def _known(
    masked: Masked, body: Span, function: Function, parameters: Sequence[Parameter], arrays: Sequence[LocalArray]
) -> frozenset[bytes]:
    return frozenset() if function.host else known_at_run_time(masked, body, parameters, function.kernel, arrays)


@dataclass(frozen=True, slots=True)
class Exchange:
    """What stood at a place said, and what stands there says now, after the edit."""

    place: Place
    was: Section
    now: Section
    edit: Edit

    def among(
        self, known: Sequence[_R], was: Sequence[_R], now: Sequence[_R], start: Callable[[_R], int] = _START
    ) -> tuple[_R, ...]:
        """What is known of the whole, in the order in which it starts, with what is said `now` in place of what `was`.

        Raises Unsure where that is in another order, or something else is known of the place.
        """
        starts = [*map(start, known)]
        if any(a > b for a, b in pairwise(starts)):
            raise Unsure
        first, last = bisect_left(starts, self.place.start), bisect_left(starts, self.place.end)
        between = tuple(known[first:last])
        inside = tuple(it for it in between if self.place.has(start(it))) if self.place.holes else between
        if inside != tuple(was):
            raise Unsure
        others = tuple(it for it in between if not self.place.has(start(it))) if self.place.holes else ()
        middle = sorted((*shifted(others, self.edit), *now), key=start)
        above, below = tuple(known[:first]), shifted(tuple(known[last:]), self.edit)
        # Of a call no offset but its start is told.
        flat = not above or isinstance(above[0], CallSite)
        return (*(above if flat else shifted(above, self.edit)), *middle, *below)

    def tally(self, before: Tally) -> Tally:
        was, now = self.was, self.now
        return Tally(
            words=_counted(before.words, was.words, now.words),
            head=before.head,
            standing=self.among(before.standing, was.standing, now.standing),
            elements=_counted(before.elements, was.elements, now.elements),
            bare=_counted(before.bare, was.bare, now.bare),
            called=_counted(before.called, was.called, now.called),
            outside=_counted(before.outside, was.outside, now.outside),
            known=before.known,
        )

    def uses(self, known: Sequence[int], now: Sequence[int]) -> tuple[int, ...]:
        """Where a name stands, `now` at the place."""
        return tuple(sorted((*(self.edit(it) for it in known if not self.place.has(it)), *now)))


def _counted(before: Counter[_T], was: Counter[_T], now: Counter[_T]) -> Counter[_T]:
    if was == now:
        return before
    found = before.copy()
    found.subtract(was)
    found.update(now)
    for it in was:
        if not found[it]:
            del found[it]
    return found


def exchanged(facts: ItemFacts, function: int, counted: Tally, masked: Masked, it: Exchange) -> ItemFacts:
    """What the item says, in one of whose functions the place is. `counted`, `masked`: as they are now.

    Raises Unsure where that cannot be told by the place alone.
    """
    if it.now.types and facts.functions[function].owner:  # they are its class's
        raise Unsure
    changed = _function(facts.functions[function], counted, masked, it)
    rest = structs.replace(facts, functions=(), types=(), scoped=(), mentions=())
    return structs.replace(
        shifted(rest, it.edit),
        functions=tuple(
            changed if index == function else with_picks(shifted(each, it.edit), each, it.edit)
            for index, each in enumerate(facts.functions)
        ),
        types=_types(facts.types, it),
        scoped=it.among(facts.scoped, sorted(it.was.definitions, key=_START), sorted(it.now.definitions, key=_START)),
        mentions=it.among(facts.mentions, it.was.mentions, it.now.mentions),
    )


def _types(known: Sequence[TypeDefinition], it: Exchange) -> tuple[TypeDefinition, ...]:
    inside = any(each.scope is not None and it.place.has(each.body.start) for each in known)
    if inside or it.was.types or it.now.types:
        return it.among(known, it.was.types, it.now.types, _OF_BODY)
    return shifted(tuple(known), it.edit)


def _function(function: Function, counted: Tally, masked: Masked, it: Exchange) -> Function:
    was, now, edit = it.was, it.now, it.edit
    body = shifted(function.body, edit)
    calls = it.among(function.calls, was.calls, now.calls)
    loose = it.among(function.loose, was.loose, now.loose)
    parameters = tuple(_parameter(each, it) for each in function.parameters)
    arrays = tuple(_array(each, it) for each in function.arrays)
    if not function.calls or not calls or len(loose) > MOST_APPLIED or shifted(was.declared, edit) != now.declared:
        raise Unsure
    if was.given != now.given:
        known = _known(masked, body, function, parameters, arrays)
        if known != counted.known:
            raise Unsure
    marks = masked.marks_between(function.head.start, function.head.end)
    under = it.among(function.branches, was.branches, now.branches, _OF_CONDITION)
    passed = it.among(function.passages, was.passages, now.passages, _OF_SPAN)
    text = b"" if function.host else masked.code[shifted(function.head, edit).start : body.end]
    followed = code_followed(masked, body, marks) if function.kernel else None
    rest = structs.replace(
        function, parameters=(), arrays=(), calls=(), branches=(), passages=(), lambdas=(), loose=(), alone=(),
        shown=(), names=frozenset(), device_code=b"",
    )  # fmt: skip
    changed = structs.replace(
        shifted(rest, edit),
        parameters=parameters,
        arrays=arrays,
        calls=calls,
        branches=under,
        passages=passed,
        lambdas=it.among(function.lambdas, was.lambdas, now.lambdas, _OF_BODY),
        loose=loose,
        alone=alone(counted.standing, lambda name: counted.words[name]),
        names=frozenset(counted.words),
        device_code=text,
        otherwise=otherwise(counted.called, lambda name: counted.words[name] - counted.head[name]),
        tensor_memory=tensor_memory(masked, body, counted.words.keys(), function.owner),
        indexed=indexed(counted.elements.keys(), counted.bare.keys()) if counted.elements else frozenset(),
        code=followed,
        shown=texts_shown(masked, body, Regions(masked.lines)) if is_worked_out(function.returns, parameters) else (),
        choosing=choosing(function.template, lambda name: counted.head[name], counted.outside)
        if function.kernel and followed is None and function.template
        else frozenset(),
    )
    stood = shifted(tuple(may_be_left_out(function.branches, function.passages)), edit)
    stays = stood == tuple(may_be_left_out(under, passed)) and leaves(function, changed)
    return with_picks(changed, function, edit) if stays else changed


def _parameter(parameter: Parameter, it: Exchange) -> Parameter:
    reads = [at for at in it.now.uses.get(parameter.name, ()) if at not in it.now.writes]
    return structs.replace(parameter, uses=it.uses(parameter.uses, reads))


def _array(array: LocalArray, it: Exchange) -> LocalArray:
    name = array.field.name
    if name in it.was.stored and name not in it.now.stored:  # it may be written to elsewhere
        raise Unsure
    now = it.now.uses.get(name, ())
    return structs.replace(
        shifted(structs.replace(array, uses=(), reads=()), it.edit),
        uses=it.uses(array.uses, now),
        reads=it.uses(array.reads, [at for at in now if at not in it.now.writes]),
        stored=array.stored or name in it.now.stored,
    )
