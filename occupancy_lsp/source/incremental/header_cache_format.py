"""A header as bytes, and back: which names each item bears is read at once, what it says of them when somebody asks."""

from __future__ import annotations

from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.packing import Damaged, Form
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.record import Record
from occupancy_lsp.source.incremental.item_reader import read_item
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lex.item_list import Item, new_id
from occupancy_lsp.source.lex.top_level_scanner import Kind
from occupancy_lsp.source.lower.item_facts import Conditions, ItemFacts
from occupancy_lsp.source.lower.symbol_table import ItemNames, LocatedItem, names_borne_by


class _Row(Record, frozen=True):
    """An item: where it ends, and where it stands. `names`, `facts` None: it says nothing."""

    end: int
    kind: Kind
    order: int
    surroundings: int
    matters: bool
    speaks: bool
    names: ItemNames | None
    facts: bytes | None


class _Rows(Record, frozen=True):
    """`surroundings`: the namespaces and conditions around items."""

    surroundings: tuple[tuple[tuple[str, ...], Conditions], ...]
    rows: tuple[_Row, ...]


@remembered(1)
def _of_rows() -> Form[_Rows]:
    return Form(_Rows)


@remembered(1)
def _of_facts() -> Form[ItemFacts]:
    return Form(ItemFacts)


_MOST = 50_000  # items: as bytes they take more memory than what was read of them
_NO_NAMES = ItemNames()
_NO_FACTS = ItemFacts()


@dataclass(frozen=True, slots=True, eq=False)
class _Header:
    """What items have been read of it. Any thread may read one; two that do find the same."""

    content: bytes
    dialect: Dialect
    known: dict[int, ItemFacts] = field(default_factory=dict)  # by where the item starts

    def facts(self, start: int, row: _Row) -> ItemFacts:
        known = self.known.get(start)
        return known if known is not None else self.known.setdefault(start, self._read(start, row))

    def _read(self, start: int, row: _Row) -> ItemFacts:
        if row.facts is None:
            return _NO_FACTS
        try:
            return _of_facts().unpack(row.facts)
        except Damaged:
            return read_item(Item(-1, row.kind, self.content[start : row.end]), self.dialect)


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """An item of a header, whose facts are not read yet."""

    names: ItemNames
    header: _Header
    start: int
    row: _Row

    @property
    def facts(self) -> ItemFacts:
        return self.header.facts(self.start, self.row)


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """An item whose facts are read, and whose names are wanted more than once."""

    facts: ItemFacts
    names: ItemNames


def with_names(placed: LocatedItem) -> LocatedItem:
    return placed._replace(said=_Read(placed.facts, placed.names))


def pack_header(placed_items: tuple[LocatedItem, ...], items: tuple[Item, ...]) -> bytes | None:
    """`items`: their texts. None: of one nothing is known because of a defect of ours, or it cannot be packed, or there
    are too many."""
    if len(items) > _MOST:
        return None
    numbers: dict[tuple[tuple[str, ...], Conditions], int] = {}
    rows: list[_Row] = []
    end = 0
    for placed, item in zip(placed_items, items, strict=True):
        facts = placed.facts
        if facts.defect is not None:
            return None
        end += len(item.text)
        around = placed.namespaces, placed.conditions
        number = numbers.setdefault(around, len(numbers))
        silent = facts == _NO_FACTS
        names, said = (None, None) if silent else (names_borne_by(facts), _of_facts().pack(facts))
        if said is None and not silent:
            return None
        rows.append(_Row(end, item.kind, placed.order, number, placed.matters, placed.speaks, names, said))
    return _of_rows().pack(_Rows(tuple(numbers), tuple(rows)))


def unpack_header(data: bytes, content: bytes, dialect: Dialect) -> tuple[LocatedItem, ...]:
    """The items of `content` as they were packed. Damaged: that is something else."""
    read = _of_rows().unpack(data)
    header = _Header(content, dialect)
    found: list[LocatedItem] = []
    start = 0
    for row in read.rows:
        if not (start <= row.end <= len(content) and 0 <= row.surroundings < len(read.surroundings)):
            raise Damaged("items that the text does not have")
        namespaces, conditions = read.surroundings[row.surroundings]
        said = _Kept(row.names or _NO_NAMES, header, start, row)
        number = new_id()
        found.append(LocatedItem(number, row.order, namespaces, conditions, said, row.matters, row.speaks, number))
        start = row.end
    if start != len(content):
        raise Damaged("the text has more items")
    return tuple(found)
