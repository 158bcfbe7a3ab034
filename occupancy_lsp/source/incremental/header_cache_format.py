"""A header as bytes, and back: which names each item bears is read at once, what it says of them when somebody asks."""

from __future__ import annotations

from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.packing import Damaged, Form
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.record import Record
from occupancy_lsp.source.incremental.unread_item import read_or_defect
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lex.item_list import Item, new_item_id
from occupancy_lsp.source.lex.top_level_scanner import Kind
from occupancy_lsp.source.lower.item_facts import Conditions, ItemFacts
from occupancy_lsp.source.lower.symbol_table import ItemNames, LocatedItem


class _Row(Record, frozen=True):
    """An item: where it ends, and where it stands. `names` None: it says nothing; `facts` None: it says nothing, or is
    not read yet."""

    end: int
    kind: Kind
    order: int
    surroundings: int
    names: ItemNames | None
    facts: bytes | None


class _Rows(Record, frozen=True):
    """`surroundings`: the namespaces and conditions around items."""

    surroundings: tuple[tuple[tuple[str, ...], Conditions], ...]
    rows: tuple[_Row, ...]


@remembered(1)
def _rows_format() -> Form[_Rows]:
    return Form(_Rows)


@remembered(1)
def _facts_format() -> Form[ItemFacts]:
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
        if row.names is None:
            return _NO_FACTS
        try:
            return _facts_format().unpack(row.facts) if row.facts is not None else self._parse_item_text(start, row)
        except Damaged:
            return self._parse_item_text(start, row)

    def _parse_item_text(self, start: int, row: _Row) -> ItemFacts:
        return read_or_defect(Item(-1, row.kind, self.content[start : row.end]), self.dialect)


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

    def forget(self) -> None:
        if self.start in self.header.known:
            self.facts.forget()


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """An item whose facts are read, and whose names are wanted more than once."""

    facts: ItemFacts
    names: ItemNames

    def forget(self) -> None:
        self.facts.forget()


def with_names_computed(placed: LocatedItem) -> LocatedItem:
    said = placed.said
    return placed._replace(said=_Read(said, placed.names)) if isinstance(said, ItemFacts) else placed


def pack_header(placed_items: tuple[LocatedItem, ...], items: tuple[Item, ...]) -> bytes | None:
    """`items`: their texts. None: of one nothing is known because of a defect of ours, or it cannot be packed, or there
    are too many."""
    if len(items) > _MOST:
        return None
    numbers: dict[tuple[tuple[str, ...], Conditions], int] = {}
    rows: list[_Row] = []
    end = 0
    for placed, item in zip(placed_items, items, strict=True):
        end += len(item.text)
        around = placed.namespaces, placed.conditions
        number = numbers.setdefault(around, len(numbers))
        names = packed = None
        if not isinstance(facts := placed.said, ItemFacts):
            names = facts.names
        elif facts != _NO_FACTS:
            names, packed = placed.names, _facts_format().pack(facts)
            if packed is None or facts.defect is not None:
                return None
        rows.append(_Row(end, item.kind, placed.order, number, names, packed))
    return _rows_format().pack(_Rows(tuple(numbers), tuple(rows)))


def unpack_header(data: bytes, content: bytes, dialect: Dialect) -> tuple[LocatedItem, ...]:
    """The items of `content` as they were packed. Damaged: that is something else."""
    read = _rows_format().unpack(data)
    header = _Header(content, dialect)
    found: list[LocatedItem] = []
    start = 0
    for row in read.rows:
        if not (start <= row.end <= len(content) and 0 <= row.surroundings < len(read.surroundings)):
            raise Damaged("items that the text does not have")
        namespaces, conditions = read.surroundings[row.surroundings]
        said = _Kept(names := row.names or _NO_NAMES, header, start, row)
        number = new_item_id()
        found.append(LocatedItem(number, row.order, namespaces, conditions, said, names.matters, names.speaks, number))
        start = row.end
    if start != len(content):
        raise Damaged("the text has more items")
    return tuple(found)
