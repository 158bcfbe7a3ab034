"""The statements of a Python file and what they give its names, in step with its edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from occupancy_lsp.languages.python.cutting import Cutting
from occupancy_lsp.languages.python.names import Names, Placed


class Outline:
    """`placed`: the statements, each with a number; one that changed alone keeps its own. `index`: how many stand
    before each, by its number."""

    def __init__(self) -> None:
        self.placed: tuple[Placed, ...] = ()
        self.index: Mapping[int, int] = {}
        self.names = Names()
        self._cut = Cutting()
        self._numbers = 0

    @property
    def starts(self) -> Sequence[int]:
        """Where each statement starts in the file."""
        return self._cut.starts

    def follow(self, content: bytes) -> None:
        head, tail = self._cut.follow(content)
        was, now = self.placed, self._cut.statements
        if head == len(was) == len(now):
            return
        gone, came = was[head : len(was) - tail], now[head : len(now) - tail]
        numbers = [it.item for it in gone]
        if len(gone) != len(came):
            numbers = [*range(self._numbers, self._numbers + len(came))]
            self._numbers += len(came)
        middle = tuple(map(Placed, numbers, came))
        self.placed = (*was[:head], *middle, *was[len(was) - tail :])
        self.index = {it.item: index for index, it in enumerate(self.placed)}
        self.names.follow(gone, middle, self.index)

    def start_of(self, item: int) -> int:
        return self._cut.starts[self.index[item]]
