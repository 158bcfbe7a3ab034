"""Text that several spans cover together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.values import Place


@dataclass(frozen=True, slots=True)
class Cover:
    """Where the pieces of it start and end."""

    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    @staticmethod
    def of(spans: Iterable[Span]) -> Cover:
        starts: list[int] = []
        ends: list[int] = []
        for it in sorted(spans, key=lambda it: it.start):
            if ends and it.start <= ends[-1]:
                ends[-1] = max(ends[-1], it.end)
            else:
                starts.append(it.start)
                ends.append(it.end)
        return Cover(tuple(starts), tuple(ends))

    def holds(self, offset: int) -> bool:
        before = bisect_right(self.starts, offset)
        return bool(before) and offset < self.ends[before - 1]


NOTHING = Cover()


def covered(places: Iterable[Place]) -> Mapping[int, Cover]:
    """By item, the text in it that some places cover together."""
    found: dict[int, list[Span]] = {}
    for it in places:
        found.setdefault(it.item, []).append(Span(it.start, it.end))
    return {item: Cover.of(spans) for item, spans in found.items()}
