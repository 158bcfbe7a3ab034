"""The statements of a Python file and what they give its names, in step with its edits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set

from occupancy_lsp.languages.python.cutting import Cutting
from occupancy_lsp.languages.python.names import Names, Placed
from occupancy_lsp.languages.python.statements import Statement


class Index:
    """The statements of a file by names in them, in step with its edits. `told`: the names that one has."""

    def __init__(self, told: Callable[[Statement], frozenset[str]]) -> None:
        self._told = told
        self._having: dict[str, dict[int, Placed]] = {}  # by name, the statements by item

    @property
    def names(self) -> Set[str]:
        return self._having.keys()

    def having(self, names: Iterable[str]) -> Collection[Placed]:
        """The statements that have one of these, in no order."""
        found: dict[int, Placed] = {}
        for name in names:
            found |= self._having.get(name, {})
        return found.values()

    def follow(self, gone: Iterable[Placed], came: Iterable[Placed]) -> None:
        for it in gone:
            for name in self._told(it.statement):
                having = self._having[name]
                del having[it.item]
                if not having:
                    del self._having[name]
        for it in came:
            for name in self._told(it.statement):
                self._having.setdefault(name, {})[it.item] = it


class Outline:
    """`placed`: the statements, each with a number; one that changed alone keeps its own. `index`: how many stand
    before each, by its number. `indices`: what is to follow its edits, too."""

    def __init__(self, *indices: Index) -> None:
        self.placed: tuple[Placed, ...] = ()
        self.index: Mapping[int, int] = {}
        self.names = Names()
        self._indices = indices
        self._cut = Cutting()
        self._numbers = 0

    @property
    def starts(self) -> Sequence[int]:
        """Where each statement starts in the file."""
        return self._cut.starts

    def follow(self, content: bytes) -> None:
        for _ in self.steps(content):
            pass

    def steps(self, content: bytes) -> Iterator[None]:
        """`follow`, a statement at each step; between two of them others may follow a text."""
        head, tail = yield from self._cut.steps(content)
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
        for it in self._indices:
            it.follow(gone, middle)

    def start_of(self, item: int) -> int:
        return self._cut.starts[self.index[item]]
