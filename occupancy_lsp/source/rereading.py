"""An item read again by the statements that an edit has touched.

Of a long function a key changes a few statements. These are read alone (`facts/sections.py`), as they were and as they
are; all else says what it said, further up or down (`facts/exchanging.py`). Where that is not sure, the whole is read:
what comes out is the same either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import trim
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.facts.exchanging import Exchange, Tally, exchanged, tally
from occupancy_lsp.source.facts.facts import Conditions, Function, ItemFacts
from occupancy_lsp.source.facts.functions import UNROLL
from occupancy_lsp.source.facts.launches import hands_over
from occupancy_lsp.source.facts.preprocessor import Regions
from occupancy_lsp.source.facts.sections import PLAIN, Place, Section, Wanted, section
from occupancy_lsp.source.facts.shifting import Edit, Unsure
from occupancy_lsp.source.items import (
    SPILLS,
    closed,
    code_of,
    finished,
    may_decide,
    read_code,
    read_item,
    sets_up,
    speaks,
)
from occupancy_lsp.source.text.blocks import HEAD, LEAST, TAIL, cut, may_part
from occupancy_lsp.source.text.dialects import LOCAL, Dialect
from occupancy_lsp.source.text.limits import TooLarge, is_too_large
from occupancy_lsp.source.text.masks import Mark, Masked, Piece, mask
from occupancy_lsp.source.text.nodes import Nodes
from occupancy_lsp.source.text.outline import Item
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.tree import span

_LEAST = 2048  # bytes of an item that is worth it
_MOST_KEPT = 4  # items between which somebody goes to and fro
# What stands behind these may not run, so that they have a say in more than their own statement; and a block with cases
# is not cut.
_FAR = regex(rb"\b(?:return|throw|switch|case|default)\b")
_DECLARING = (LOCAL, "__align__")
_PAIRS = ((b"(", b")"), (b"[", b"]"), (b"{", b"}"))


class Reader:
    """Reads items; of the last ones it remembers how, for the texts that come in their places."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._last: dict[int, Reading] = {}  # by slot

    def read(self, item: Item, before: Item | None) -> ItemFacts:
        """`before`: what stood in its place, if that was read, too, be it some edits ago."""
        text, was = code_of(item), code_of(before) if before is not None else None
        if text is None or was is None or len(text) < _LEAST:
            return read_item(item, self._dialect)
        known = self._last.pop(item.slot, None)
        if known is not None and was != known.text:  # an edit was undone
            known = read_again(known, was)
        now = read_again(known, text) if known is not None else None
        self._last[item.slot] = now = now or _read(text, self._dialect)
        trim(self._last, _MOST_KEPT)
        return now.facts


@dataclass(frozen=True, slots=True)
class Reading:
    """An item that was read, with what it takes to read it again.

    `places`: what can be read alone. `nodes`: of the whole, if that was read. `counted`: of functions, by their
    indices. `last`: what was read alone.
    """

    text: bytes
    dialect: Dialect
    facts: ItemFacts
    masked: Masked
    places: Sequence[Place]
    nodes: Nodes | None
    counted: Mapping[int, Tally]
    last: tuple[Place, Section] | None


def _read(text: bytes, dialect: Dialect) -> Reading:
    facts, workings = read_code(text, dialect)
    more = dialect.host or dialect.moves_arrays or dialect.several_vendors or dialect.local_parameters
    places = tuple(_places(workings.nodes, facts.functions)) if workings.plain and not more else ()
    return Reading(text, dialect, facts, workings.masked, places, workings.nodes, {}, None)


def read_again(before: Reading, text: bytes) -> Reading | None:
    """What came in its place, by the statements in which the two differ. None: the whole has to be read."""
    edit = Edit.between(before.text, text)
    place = next((it for it in before.places if _holds(it, edit)), None)
    if place is None or is_too_large(text) or is_too_large(before.text):
        return None
    try:
        return _read_at(before, text, edit, place)
    except (Unsure, TooLarge):
        return None


def _read_at(before: Reading, text: bytes, edit: Edit, place: Place) -> Reading:
    masked, there = _masked(before, text, edit, place), place.moved(edit)
    code = closed(masked.code)
    if not _is_cut_there(code, there):
        raise Unsure
    function, counted = before.facts.functions[place.function], _counted(before, place.function)
    wanted = Wanted.of(function, counted.known, _conditions(before, function, place, masked))
    if before.last is not None and before.last[0] == place:
        was = before.last[1]
    else:
        was = section(closed(before.masked.code), before.masked.plain, place, wanted)
    now = section(code, masked.plain, there, wanted.moved(edit))
    if was.ending != now.ending:  # of which hangs whether a loop around it ends
        raise Unsure
    exchange = Exchange(place, was, now, edit)
    counted = exchange.tally(counted)
    facts = exchanged(before.facts, place.function, counted, masked, exchange)
    places = [it.moved(edit) for it in before.places]
    return Reading(text, before.dialect, facts, masked, places, None, {place.function: counted}, (there, now))


def _counted(before: Reading, function: int) -> Tally:
    """Raises Unsure where that is not known of the function."""
    known = before.counted.get(function)
    if known is not None:
        return known
    if before.nodes is None:
        raise Unsure
    return tally(before.facts.functions[function], before.masked, before.nodes)


def _conditions(before: Reading, function: Function, place: Place, masked: Masked) -> Conditions:
    """Of the preprocessor, at the place. Raises Unsure where its lines there have a say in more."""
    regions = Regions(before.masked.lines)
    conditions = regions.at(place.start)
    if conditions != regions.at(function.body.start):  # of which passages tell, line by line
        raise Unsure
    types = (it.body for it in before.facts.types)
    if len(masked.lines) != len(before.masked.lines) and any(it.start <= place.start < it.end for it in types):
        raise Unsure  # of a class with lines nobody knows the constructors
    return conditions


def _masked(before: Reading, text: bytes, edit: Edit, place: Place) -> Masked:
    """The text as the grammar sees it. Raises Unsure where the edit bears on more than the statements at the place."""
    told = before.masked
    a, b = next((a, b) for a, b in place.segments if a <= edit.start and edit.end <= b)
    was, said = before.text[a:b], text[a : b + edit.by]
    if any(place.start <= it.start < place.end for it in (*told.assembly, *told.tensor_memory)):
        raise Unsure
    if any(place.start <= it < place.end for it in told.macros.places):
        raise Unsure
    here, function = told.marks_between(place.start, place.end), before.facts.functions[place.function]
    if not all(_stands_apart(it, function, told.code, edit) for it in here) or (here and function.unread):
        raise Unsure
    if not all(UNROLL.match(it.text) for it in told.lines if place.start <= it.start < place.end):
        raise Unsure
    if _FAR.search(told.code, place.start, place.end) or any(speaks(it) or SPILLS in it for it in (was, said)):
        raise Unsure
    again = mask(b"{" + said + b"}", before.dialect)
    code, plain, stood = again.code[1:-1], again.plain[1:-1], told.code[a:b]
    balanced = all(code.count(it) - code.count(end) == stood.count(it) - stood.count(end) for it, end in _PAIRS)
    ends = b != place.end or place.last or code.endswith(b";")
    if not (balanced and ends and again.code.endswith(b"}")):
        raise Unsure
    if again.assembly or again.tensor_memory or again.macros.places or sets_up(code) or _FAR.search(code):
        raise Unsure
    marks = tuple(it.moved(edit) for it in told.marks)
    declaring = [it.moved(lambda at: at + a - 1) for it in again.marks]
    if declaring != [it for it in marks if a <= it.start < b + edit.by]:
        raise Unsure
    if not all(UNROLL.match(it.text) for it in again.lines):
        raise Unsure
    masked = Masked(
        told.plain[:a] + plain + told.plain[b:],
        told.code[:a] + code + told.code[b:],
        marks,
        (),
        (
            *(it.moved(edit) for it in told.lines if it.start < a),
            *(Piece(it.start + a - 1, it.text) for it in again.lines),
            *(it.moved(edit) for it in told.lines if it.start >= b),
        ),
        tuple(it.moved(edit) for it in told.assembly),
        tuple(it.moved(edit) for it in told.tensor_memory),
        told.macros.moved(edit),
    )
    if may_decide(masked, before.dialect) or hands_over(masked, before.dialect.launchers):
        raise Unsure
    if finished(masked.code, Regions(masked.lines)) != masked.code:
        raise Unsure
    return masked


def _stands_apart(mark: Mark, function: Function, code: bytes, edit: Edit) -> bool:
    """Whether it declares local memory of the function, in a statement that the edit has left as it was."""
    behind = code.find(b";", mark.end)
    declares = any(mark.end <= it.field.span.start < behind for it in function.arrays)
    apart = behind < edit.start if mark.end <= edit.start else b";" in code[edit.end : mark.start]
    return mark.name in _DECLARING and declares and apart


def _holds(place: Place, edit: Edit) -> bool:
    """Whether the edit touches nothing but what stands at the place, and neither its ends nor its holes."""
    for a, b in place.segments:
        first = a if a == place.start else a + 1
        last = b - 1 if b == place.end and not place.last else b - 2
        if first <= edit.start and edit.end <= last:
            return True
    return False


def _is_cut_there(code: bytes, place: Place) -> bool:
    """Whether the block is still cut at the ends of the place and at its holes, and nowhere else in between."""
    if place.block.end - place.block.start < LEAST or not (place.last or place.end - place.start > LEAST):
        return False
    if place.start != place.block.start + 1 and not may_part(code, place.start):
        return False
    whole = cut(HEAD + code[place.start : place.end] + TAIL)
    if whole is None:  # it is short
        return not place.holes and place.end - place.start + len(TAIL) < LEAST
    by, block = place.start - len(HEAD), whole.inner[0]
    if len(whole.inner) != 1 or len(block.parts) != 1 or block.start != len(HEAD) - 1:
        return False
    return tuple(Span(it.start + by, it.end + by) for it in block.parts[0].inner) == place.holes


def _places(nodes: Nodes, functions: Sequence[Function]) -> Iterator[Place]:
    """All that can be read alone."""
    for block, depth, parts in nodes.blocks:
        body, around = block, nodes.parent(block)
        while around is not None and around.type in PLAIN:
            body, around = around, nodes.parent(around)
        holding = [index for index, it in enumerate(functions) if it.head.start <= block.start_byte < it.body.end]
        if len(holding) != 1 or functions[holding[0]].body != span(body):
            continue
        for part in parts:
            start, end = part.top.start_byte + 1, part.top.end_byte - 1
            yield Place(start, end, span(block), part.holes, depth, end == block.end_byte - 1, holding[0])
