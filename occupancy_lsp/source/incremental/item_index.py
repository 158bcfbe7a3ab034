"""The items of a file with their facts, each where it stands; after an edit only those that may stand otherwise."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from occupancy_lsp.core.sequences import InStep, shared_ends, spliced
from occupancy_lsp.source.kernels.equivalent_items import UnchangedItem
from occupancy_lsp.source.lex.item_list import Item
from occupancy_lsp.source.lex.work_limits import MOST_DEEP
from occupancy_lsp.source.lower.item_facts import Conditions, ItemFacts
from occupancy_lsp.source.lower.preprocessor_directives import flatten_conditions, update_condition_stack
from occupancy_lsp.source.lower.symbol_table import (
    ItemNames,
    LazyFacts,
    LocatedItem,
    bears_on_others,
    concerns_kernels,
)
from occupancy_lsp.source.sema.translation_unit import STEP, IncludePoint, include_points

_ROOM = STEP << 10  # between two items, so that others fit in between
_MATTERS, _SPEAKS, _ORDER = (attrgetter(it) for it in ("matters", "speaks", "order"))
_Said = ItemFacts | LazyFacts


class ItemIndex:
    """`placed`: every item in order; `speaking`, `matter`: those of them that do. `spoken`: the numbers of those that
    speak. `points`: the #includes. `said`: what each says. `still`: by slot, the items that stay among those
    as they were.
    """

    def __init__(self) -> None:
        self.placed: Sequence[LocatedItem] = ()
        self.speaking: Sequence[LocatedItem] = ()
        self.spoken: Sequence[int] = ()
        self.matter: Sequence[LocatedItem] = ()
        self.points: tuple[IncludePoint, ...] = ()
        self.items: dict[int, Item] = {}
        self.said: dict[int, _Said] = {}
        self.still: dict[int, UnchangedItem] = {}
        self._order: tuple[Item, ...] = ()
        self._unclosed: _Unclosed = frozenset()
        self._numbers = InStep(1)

    def update(
        self,
        items: Sequence[Item],
        read: Callable[[Item], _Said],
        stays: Callable[[LocatedItem, LocatedItem], UnchangedItem | None],
    ) -> None:
        """`items`: all that there are now, in order; those that were there before have the same ids. `read`: what one
        says. `stays`: of how one stood and how it stands."""
        now, was = tuple(items), self.placed
        head, tail = self._count_shared_ends(now)
        gone, came = self._order[head : len(self._order) - tail], now[head : len(now) - tail]
        if not gone and not came:
            self._order = now
            return
        said = dict(self._read_facts_of_each(came, read))
        if self._keep_unchanged_item(stays, was[head : len(was) - tail], gone, came, said):
            self._exchange_facts(gone, came, said)
            self._order = now
            return
        changes = [*((it, self.said[it.id]) for it in gone), *((it, said[it.id]) for it in came)]
        moves = any(_affects_following_items(*it) for it in changes)
        if moves:
            self.refresh_items([*self.still])
            was = self.placed
        if gone and not moves:
            around = before = _Enclosing.around_item(was[head])
        else:
            around, before = self._enclosing_of_index(head), self._enclosing_of_index(head + len(gone))
        self._exchange_facts(gone, came, said)
        self._order = now
        unclosed = _unclosed_conditionals(now, self.said) if moves else self._unclosed
        orders = _order_numbers_between(
            was[head - 1].order if head else 0, was[-tail].order if tail else None, len(came)
        )
        if orders is None:
            self.still.clear()
            self._locate_all(range(_ROOM, (len(now) + 1) * _ROOM, _ROOM), unclosed)
            return
        above, below = was[:head], was[len(was) - tail :]
        if unclosed != self._unclosed:
            numbers = [*(it.order for it in above), *orders, *(it.order for it in below)]
            self._locate_all(numbers, unclosed, (*above, *[None] * len(came), *below))
            return
        middle = _locate_items(came, orders, around, self.said)
        if around != before:
            below = _locate_items(now[len(now) - tail :], [it.order for it in below], around, self.said, below)
            self.placed = [*above, *middle, *below]
            self._select_relevant()
        else:
            self.placed = spliced(was, head, tail, middle)
            self._exchange_relevant(was[head : len(was) - tail], middle)

    def _keep_unchanged_item(
        self,
        stays: Callable[[LocatedItem, LocatedItem], UnchangedItem | None],
        stood: Sequence[LocatedItem],
        gone: Sequence[Item],
        came: Sequence[Item],
        read: Mapping[int, _Said],
    ) -> bool:
        """Keep one item that came in place of itself among those that stay as they were, if it does. Whether that is
        all of the edit."""
        for it in stood:
            self.still.pop(it.slot, None)
        if len(gone) != 1 or len(came) != 1 or gone[0].kind != came[0].kind or stood[0].slot != came[0].slot:
            return False
        if any(item == gone[0].id for item, _ in self._unclosed):
            return False
        now = _located_item(came[0], stood[0].order, _Enclosing.around_item(stood[0]), read[came[0].id])
        found = stays(stood[0], now)
        if found is None:
            return False
        self.still[now.slot] = found
        return True

    def refresh_items(self, slots: Iterable[int]) -> None:
        """The items in these slots no longer stay as they were."""
        for it in [*map(self.still.pop, slots)]:
            at = bisect_left(self.placed, it.stood.order, key=_ORDER)
            self.placed = spliced(self.placed, at, len(self.placed) - at - 1, [it.now])
            self._exchange_relevant([it.stood], [it.now])

    def items_as_read(self, items: Sequence[LocatedItem]) -> Sequence[LocatedItem]:
        """Some of those in order, as their texts read now."""
        if not self.still:
            return items
        found = [*items]
        for it in self.still.values():
            at = bisect_left(found, it.stood.order, key=_ORDER)
            if at < len(found) and found[at] is it.stood:
                found[at] = it.now
        return found

    def _locate_all(
        self, orders: Sequence[int], unclosed: _Unclosed, before: Sequence[LocatedItem | None] = ()
    ) -> None:
        self._unclosed = unclosed
        self.placed = _locate_items(self._order, orders, _Enclosing(unclosed), self.said, before)
        self._select_relevant()

    def _count_shared_ends(self, now: tuple[Item, ...]) -> tuple[int, int]:
        """How many at the start and at the end are the same items, be it with other blank lines behind them."""
        head, tail = shared_ends((self._order, now))
        was, left = (it[head : len(it) - tail] for it in (self._order, now))
        first, last = shared_ends(([it.id for it in was], [it.id for it in left]))
        self.items |= {it.id: it for it in (*left[:first], *left[len(left) - last :])}
        return head + first, tail + last

    def text_of(self, item: int) -> bytes:
        return self.items[item].text

    def _enclosing_of_index(self, index: int) -> _Enclosing:
        """What stood around the item of that index."""
        around = _Enclosing(self._unclosed)
        for item in self._order[:index]:
            around.advance_past(item, self.said[item.id])
        return around

    def _exchange_facts(self, gone: Sequence[Item], came: Sequence[Item], read: Mapping[int, _Said]) -> None:
        for item in gone:
            del self.items[item.id], self.said[item.id]
        self.items |= {item.id: item for item in came}
        self.said |= read

    def _read_facts_of_each(self, items: Iterable[Item], read: Callable[[Item], _Said]) -> Iterator[tuple[int, _Said]]:
        """What stands in many places is read once, but for functions: those are told apart by which they are."""
        plain: dict[tuple[str, bytes], _Said] = {}
        for item in items:
            known = (item.kind, item.text)
            found = self.said.get(item.id) or plain.get(known) or read(item)
            if not _facts_or_names(found).functions:
                plain[known] = found
            yield item.id, found

    def _select_relevant(self) -> None:
        """Those that the whole file is asked about."""
        self._update_relevant([*filter(_SPEAKS, self.placed)])
        self.matter = [*filter(_MATTERS, self.placed)]
        self.points = include_points(self.placed)

    def _update_relevant(self, speaking: Sequence[LocatedItem]) -> None:
        self.speaking = speaking
        (self.spoken,) = self._numbers.follow(_item_number, speaking)

    def _exchange_relevant(self, gone: Sequence[LocatedItem], came: Sequence[LocatedItem]) -> None:
        """The same where some came in place of others."""
        self._update_relevant(_with_exchanged(self.speaking, gone, came, _SPEAKS))
        if any(map(_MATTERS, (*gone, *came))):
            self.matter = _with_exchanged(self.matter, gone, came, _MATTERS)
        if any(it.includes for it in (*gone, *came)):
            self.points = include_points(self.placed)


def _item_number(placed: LocatedItem) -> tuple[int]:
    return (placed.item,)


def _with_exchanged(
    among: Sequence[LocatedItem],
    gone: Sequence[LocatedItem],
    came: Sequence[LocatedItem],
    of: Callable[[LocatedItem], bool],
) -> Sequence[LocatedItem]:
    """Those `of` a kind, in the order in which they stand, where some came in place of others, side by side."""
    gone, came = [*filter(of, gone)], [*filter(of, came)]
    if not gone and not came:
        return among
    left = gone or came
    head, end = bisect_left(among, left[0].order, key=_ORDER), bisect_right(among, left[-1].order, key=_ORDER)
    return spliced(among, head, len(among) - end, came)


_Unclosed = frozenset[tuple[int, int]]  # by item, and which of its branches it is


def _unclosed_conditionals(items: Sequence[Item], said: Mapping[int, _Said]) -> _Unclosed:
    """Each #if that no #endif closes."""
    opened: list[tuple[int, int]] = []
    for item in items:
        for index, (kind, _) in enumerate(_facts_or_names(said[item.id]).directives.branches):
            if kind == "if":
                opened.append((item.id, index))
            elif kind == "endif" and opened:
                opened.pop()
    return frozenset(opened)


class _Enclosing:
    """What stands around the next item: the namespaces that are open, and the preprocessor's conditions.

    An #if that is not closed, as while it is being typed, says nothing of what follows: no compiler reads on.
    """

    def __init__(self, unclosed: _Unclosed = frozenset()) -> None:
        self._unclosed = unclosed
        self.path: tuple[str, ...] = ()
        self.conditions: Conditions = ()
        self._outer: list[tuple[str, ...]] = []  # the path around each namespace that is open
        self._branches: list[list[tuple[str, bool]]] = []

    @classmethod
    def around_item(cls, placed: LocatedItem) -> _Enclosing:
        """As far as it bears on items that open and close nothing."""
        around = cls()
        around.path, around.conditions = placed.namespaces, placed.conditions
        return around

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Enclosing) and (self.path, self._outer, self._branches) == (
            other.path,
            other._outer,
            other._branches,
        )

    def pop_closed_namespace(self, item: Item) -> None:
        if item.kind == "close" and self._outer:
            self.path = self._outer.pop()

    def push_namespace_and_conditions(self, item: Item, said: _Said) -> None:
        shown = _facts_or_names(said)
        if item.kind == "open":
            self._outer.append(self.path)
            self.path = (*self.path, *shown.opened) if len(self.path) < MOST_DEEP else self.path
        for index, event in enumerate(shown.directives.branches):
            if (item.id, index) in self._unclosed:
                self._branches.append([])
            else:
                update_condition_stack(self._branches, event)
        if shown.directives.branches:
            self.conditions = flatten_conditions(self._branches)

    def advance_past(self, item: Item, said: _Said) -> None:
        self.pop_closed_namespace(item)
        self.push_namespace_and_conditions(item, said)


def _affects_following_items(item: Item, said: _Said) -> bool:
    """Whether what follows stands otherwise than it would without it."""
    return item.kind in ("open", "close") or bool(_facts_or_names(said).directives.branches)


def _order_numbers_between(low: int, high: int | None, count: int) -> Sequence[int] | None:
    """Order numbers for items between two others, `high` None: after all; None: there is no room left.

    What was worked out of the items around an edit holds on as long as they keep their numbers. An #include's items
    have room between two.
    """
    step = _ROOM if high is None else (high - low) // (count + 1)
    return [low + (i + 1) * step for i in range(count)] if step >= STEP else None


def _locate_items(
    items: Sequence[Item],
    orders: Sequence[int],
    around: _Enclosing,
    said: Mapping[int, _Said],
    before: Sequence[LocatedItem | None] = (),
) -> list[LocatedItem]:
    """`before`: how each stood, which it still is where nothing differs. `around` is left as it is behind them."""
    found: list[LocatedItem] = []
    for item, order, stood in zip(items, orders, before or [None] * len(items), strict=True):
        around.pop_closed_namespace(item)
        same = stood is not None and (stood.namespaces, stood.conditions) == (around.path, around.conditions)
        stands = stood if same and stood is not None else _located_item(item, order, around, said[item.id])
        found.append(stands)
        around.push_namespace_and_conditions(item, said[item.id])
    return found


def _located_item(item: Item, order: int, around: _Enclosing, said: _Said) -> LocatedItem:
    if isinstance(said, ItemFacts):
        matters, speaks = bears_on_others(said), concerns_kernels(said)
    else:
        matters, speaks = said.names.matters, said.names.speaks
    return LocatedItem(item.id, order, around.path, around.conditions, said, matters, speaks, item.slot)


def _facts_or_names(said: _Said) -> ItemFacts | ItemNames:
    """What tells of it before its facts are asked for."""
    return said if isinstance(said, ItemFacts) else said.names
