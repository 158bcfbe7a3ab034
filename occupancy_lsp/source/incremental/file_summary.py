"""What the items of a file say together, in step with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.sequences import Flat, InStep
from occupancy_lsp.source.incremental.item_resolution import ResolvedItem, common_to_units
from occupancy_lsp.source.incremental.kernel_text import Directives, FileFacts, directives_in
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.kernels.moves_within_item import Moves
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.syntax.known_value import Place

_SLOT = attrgetter("slot")


_Other = tuple[LocatedItem, ResolvedItem]
# Of an item: its kernels, its launches, and itself if it says anything else, as few do.
_Row = tuple[Sequence[Kernel], Sequence[KernelLaunch], _Other | None]


class FileSummary:
    """What the items of a file say together, in step with them."""

    def __init__(self) -> None:
        self._rows = InStep(3)
        self._before: dict[int, ResolvedItem] = {}  # by slot, what each item said last
        self._kernels: Flat[Kernel] = Flat()
        self._launches: Flat[KernelLaunch] = Flat()

    def updated_facts(
        self,
        speaking: Sequence[LocatedItem],
        each: Sequence[Sequence[ResolvedItem]],
        body_of: Callable[[Kernel], Place],
        moved: Sequence[Sequence[Moves]],
    ) -> FileFacts:
        """`each`: what they say in each translation unit. `moved`: of each, where things stand that it names."""
        if len(self._before) > 2 * len(speaking):
            self._before.clear()
        by_item, launched, rest = self._rows.follow(self._row_of_item, speaking, moved, *each)
        kernels, launches = self._kernels.follow(by_item), self._launches.follow(launched)
        others: Sequence[_Other] = [*filter(None, rest)]
        if any(it.facts.comments for it, _ in others):
            comments = (it.facts.comments for it in speaking)
            directives = directives_in(zip(map(_SLOT, speaking), comments, by_item, strict=True), body_of)
        else:
            directives = empty_tuples(len(kernels)), (), ()
        return _gather_file_facts(kernels, launches, directives, others)

    def _row_of_item(self, placed: LocatedItem, moved: Sequence[Moves], *each: ResolvedItem) -> _Row:
        """An item that says what it said before an edit is not another one to who asks for kernels."""
        said, before = replace(common_to_units(each), steps=0), self._before.get(placed.slot)
        for it in moved:
            said = it.of(said)
        said = self._before[placed.slot] = before if before is not None and said == before else said
        facts = placed.facts
        looks = said.unread or said.hidden.kernels or said.hidden.launches or facts.launching.unread_launches
        more = said.allowed or said.preferred or said.defect or looks or facts.comments
        return said.kernels, said.launches, (placed, said) if more else None


def _gather_file_facts(
    kernels: Sequence[Kernel], launches: Sequence[KernelLaunch], directives: Directives, others: Sequence[_Other]
) -> FileFacts:
    """`others`: items that say more than kernels and launches."""
    return FileFacts(
        kernels,
        launches,
        tuple(chain.from_iterable(it.allowed for _, it in others)),
        *directives,
        sum(it.facts.launching.unread_launches for it, _ in others),
        tuple((placed.slot, it.defect) for placed, it in others if it.defect is not None),
        tuple(chain.from_iterable(it.unread for _, it in others)),
        tuple(chain.from_iterable(it.preferred for _, it in others)),
        tuple(chain.from_iterable(it.hidden.kernels for _, it in others)),
        tuple(chain.from_iterable(it.hidden.launches for _, it in others)),
    )


@remembered(8)
def empty_tuples(count: int) -> tuple[tuple[()], ...]:
    """Nothing of each of so many; the same object at the next key."""
    return ((),) * count
