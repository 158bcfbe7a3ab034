"""Text that several spans cover together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.syntax.known_value import Place

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class SpanSet:
    """Where the pieces of it start and end."""

    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    @staticmethod
    def of(spans: Iterable[Span]) -> SpanSet:
        starts: list[int] = []
        ends: list[int] = []
        for it in sorted(spans, key=lambda it: it.start):
            if ends and it.start <= ends[-1]:
                ends[-1] = max(ends[-1], it.end)
            else:
                starts.append(it.start)
                ends.append(it.end)
        return SpanSet(tuple(starts), tuple(ends))

    def holds(self, offset: int) -> bool:
        before = bisect_right(self.starts, offset)
        return bool(before) and offset < self.ends[before - 1]


NOTHING = SpanSet()


class NestedSpans(Generic[_T]):
    """Things in spans, most of which stand in one another or apart, to be asked which of them hold a place."""

    def __init__(self, spans: Iterable[tuple[int, int, _T]]) -> None:
        self._spans = sorted(spans, key=lambda it: it[0])
        self._starts = [start for start, _, _ in self._spans]
        self._around: list[int] = []  # of each, the last one before it that goes on behind its start
        open_now: list[int] = []
        for index, start in enumerate(self._starts):
            while open_now and self._spans[open_now[-1]][1] <= start:
                open_now.pop()
            self._around.append(open_now[-1] if open_now else -1)
            open_now.append(index)

    def all_containing(self, offset: int) -> list[_T]:
        """Those that hold it, by where they start."""
        found: list[_T] = []
        index = bisect_right(self._starts, offset) - 1
        while index >= 0:
            _, end, it = self._spans[index]
            if offset < end:
                found.append(it)
            index = self._around[index]
        return found[::-1]


def spans_by_item(places: Iterable[Place]) -> Mapping[int, SpanSet]:
    """By item, the text in it that some places cover together."""
    found: dict[int, list[Span]] = {}
    for it in places:
        found.setdefault(it.item, []).append(Span(it.start, it.end))
    return {item: SpanSet.of(spans) for item, spans in found.items()}
