"""A file cut into top-level items, kept in step with edits.

Where a piece of the text ends depends on the bytes from its start on and on nothing before, so an edit reads again
only the pieces it touches, and a file edited piece by piece has the same items as one read afresh. Only where its
braces do not balance is the layout of the whole file looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, count

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.sequences import shared_ends
from occupancy_lsp.core.text import Starts
from occupancy_lsp.source.lex.brace_recovery import rebalance_pieces
from occupancy_lsp.source.lex.top_level_scanner import Kind, TopLevelPiece, piece_after_edit, scan_piece


@dataclass(frozen=True, slots=True)
class Item:
    """One top-level piece: a declaration or definition, the comments above one, a preprocessor line, or a namespace's
    opening or end.

    `text` starts where the item before it ended. Blank lines behind an item belong to it: with others it is the same.
    `id`: of this text. `slot`: of the item, whatever its text is: what comes in place of one has its slot.
    """

    id: int
    kind: Kind
    text: bytes
    slot: int = -1  # of none that stands in a document


_IDS = count()  # of all files: an item of one is none of another


def new_item_id() -> int:
    return next(_IDS)


class ItemList:
    """The items of a document in order, each with the offset at which it starts."""

    def __init__(self, content: bytes, kernel_words: tuple[bytes, ...] = (b"__global__",)) -> None:
        self._kernel_words = kernel_words
        self.items: list[Item] = []
        self._index_of: dict[int, int] = {}
        self._pieces: list[TopLevelPiece] = []  # as they read one by one
        self._piece_starts = Starts([])
        self._depth = 0  # of all of them together
        self._mended: Sequence[TopLevelPiece] | None = None  # what the items are, if not these
        self._starts = self._piece_starts
        self.replace(content, 0, 0, len(content))

    def __contains__(self, slot: int) -> bool:
        return slot in self._index_of

    def index_of(self, slot: int) -> int:
        return self._index_of[slot]

    def start_of(self, slot: int) -> int:
        return self._starts[self._index_of[slot]]

    def index_at(self, offset: int) -> int:
        """Index of the item that holds `offset`; -1 if there are no items."""
        return self._starts.up_to(offset) - 1

    def replace(self, content: bytes, start: int, old_end: int, new_end: int) -> None:
        """`content` is the document after its bytes from `start` to `old_end` became those up to `new_end`."""
        first, last, found = self._rescan_edited_pieces(content, start, new_end, new_end - old_end)
        was = self._mended
        before = (
            was if was is not None else [*self._pieces] if self._depth_after_replacing(first, last, found) else None
        )
        self._depth = self._depth_after_replacing(first, last, found)
        self._pieces[first:last] = found
        now = rebalance_pieces(self._pieces, self._kernel_words) if self._depth else self._pieces
        if before is None:
            self._replace_items(first, last, found)
        else:
            head, tail = shared_ends((before, now))
            self._replace_items(head, len(before) - tail, now[head : len(now) - tail])
        self._mended = now if now is not self._pieces else None
        self._starts = self._piece_starts if self._mended is None else _starts_of(self._mended)

    def _depth_after_replacing(self, first: int, last: int, found: Sequence[TopLevelPiece]) -> int:
        """What the depth becomes with these pieces in place of others."""
        return self._depth + sum(it.depth for it in found) - sum(it.depth for it in self._pieces[first:last])

    def _rescan_edited_pieces(
        self, content: bytes, start: int, new_end: int, shift: int
    ) -> tuple[int, int, list[TopLevelPiece]]:
        """The pieces that an edit touches, from one index to before another, and what is there now."""
        first = max(self._piece_starts.up_to(max(start - 1, 0)) - 1, 0)
        at = self._piece_starts[first] if self._pieces else 0
        old_end = new_end - shift
        if self._pieces and start > at and old_end <= at + len(self._pieces[first].text):
            now = content[start:new_end]
            piece = piece_after_edit(self._pieces[first], start - at, old_end - at, now, self._kernel_words)
            if piece is not None:
                self._piece_starts.replace(first, first + 1, [at], shift)
                return first, first + 1, [piece]
        if first and not content[at:start].strip():  # it starts with white space, which belongs to the one before
            first -= 1
        while first and not self._pieces[first - 1].closed:  # it may end where it does because of what follows
            first -= 1
        at = self._piece_starts[first] if self._pieces else 0
        found: list[TopLevelPiece] = []
        starts: list[int] = []
        while at < len(content):
            # Beyond the edit, and with the same byte before it: how a piece reads depends on both.
            last = self._piece_starts.up_to(at - shift - 1) if at > new_end else len(self._pieces)
            if first <= last < len(self._pieces) and self._piece_starts[last] == at - shift:
                break
            starts.append(at)
            found.append(scan_piece(content, at, self._kernel_words))
            at += len(found[-1].text)
        else:
            last = len(self._pieces)
        self._piece_starts.replace(first, last, starts, shift)
        return first, last, found

    def _replace_items(self, first: int, last: int, pieces: Sequence[TopLevelPiece]) -> None:
        """The items from one index to before another are these pieces now."""
        new = _items_reusing_ids(pieces, self.items[first:last])
        gone, self.items[first:last] = self.items[first:last], new
        if len(gone) != len(new):
            self._index_of = {item.slot: index for index, item in enumerate(self.items)}
            return
        for item in gone:
            del self._index_of[item.slot]
        self._index_of |= {item.slot: index for index, item in enumerate(new, first)}


def _items_reusing_ids(pieces: Sequence[TopLevelPiece], before: Sequence[Item]) -> list[Item]:
    """One whose bytes stood here before keeps its id, so that what is known of it stays known."""
    known: dict[tuple[Kind, bytes], list[Item]] = {}
    for item in reversed(before):
        known.setdefault((item.kind, item.text.rstrip()), []).append(item)
    each = ((it, known.get((it.kind, it.text.rstrip()))) for it in pieces)
    stayed = [(it, same.pop() if same else None) for it, same in each]
    ids = {same.id for _, same in stayed if same is not None}
    slots = [it.slot for it in before if it.id not in ids]
    free = iter(slots if len(slots) == len(pieces) - len(ids) else ())
    return [_kept_item(same, it) if same is not None else _new_item(it, free) for it, same in stayed]


def _kept_item(same: Item, piece: TopLevelPiece) -> Item:
    """`same`: what stood there before, be it with more blank lines behind it, or fewer."""
    return same if same.text == piece.text else replace(same, text=piece.text)


def _new_item(piece: TopLevelPiece, slots: Iterator[int]) -> Item:
    """In one of these slots, if any is left."""
    id_ = new_item_id()
    return Item(id_, piece.kind, piece.text, next(slots, id_))


def _starts_of(pieces: Sequence[TopLevelPiece]) -> Starts:
    return Starts([0, *accumulate(len(it.text) for it in pieces[:-1])] if pieces else [])
