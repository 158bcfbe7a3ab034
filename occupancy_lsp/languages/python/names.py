"""What the statements of a file give its names, in step with its edits."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.statements import Statement
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.syntax.known_value import Place

_ANY = "*"  # what `from constants import *` gives something
_MOST = 20_000  # names that were asked for


@dataclass(frozen=True, slots=True)
class Placed:
    """A statement, by its number in the file."""

    item: int
    statement: Statement

    def place(self, span: Span) -> Place:
        return Place(self.item, span.start, span.end)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name of a file stands for. `given`: all that it is given; None stands for what no expression says.

    `imported`: what it means elsewhere; `returned`: what the functions of that name return that only return. `stands`:
    by such an expression, the statement that it stands in. `once`: one place alone gives it something. `defined`:
    functions alone do.
    """

    given: tuple[ast.expr | None, ...] | None = None
    imported: str | None = None
    returned: tuple[ast.expr, ...] | None = None
    stands: Mapping[int, Placed] = field(default_factory=dict)
    once: bool = False
    defined: bool = False


_NOTHING = Meaning()


@dataclass(slots=True, eq=False)
class _Said:
    """What one statement says of a name."""

    given: list[ast.expr | None] = field(default_factory=list)
    imported: str | None = None
    returned: tuple[ast.expr, ...] = ()
    functions: int = 0  # at the margin


@remembered(4096)
def _said(statement: Statement) -> Mapping[str, _Said]:
    found: dict[str, _Said] = {}
    for name, full in statement.imports:
        found.setdefault(name, _Said()).imported = full
    for name, node in statement.given:
        found.setdefault(name, _Said()).given.append(node)
    for function in statement.functions:
        if not function.outer:
            said = found.setdefault(function.name, _Said())
            said.returned += function.gives_back
            said.functions += 1
    return found


class Names:
    """Those of a file."""

    def __init__(self) -> None:
        self._saying: dict[str, dict[int, Placed]] = {}  # by name, the statements that say something of it, by item
        self._standing: dict[str, Counter[str]] = {}  # by name, those that are given it, and how often
        self._order: Mapping[int, int] = {}
        self._known: dict[str, Meaning] = {}

    def follow(self, gone: Iterable[Placed], came: Iterable[Placed], order: Mapping[int, int]) -> None:
        """`order`: how many statements stand before each, by item."""
        self._order = order
        touched: set[str] = set()
        for it in gone:
            for name, said in _said(it.statement).items():
                del self._saying[name][it.item]
                touched.add(name)
                self._count(name, said, -1)
        for it in came:
            for name, said in _said(it.statement).items():
                self._saying.setdefault(name, {})[it.item] = it
                touched.add(name)
                self._count(name, said, 1)
        if _ANY in touched or len(self._known) > _MOST:
            self._known.clear()
        for name in touched:
            self._known.pop(name, None)
            if not self._saying[name]:
                del self._saying[name]
        for name, others in [*self._standing.items()]:
            if not others.keys().isdisjoint(touched):
                self._known.pop(name, None)
                self._standing[name] = +others
            if not self._standing[name]:
                del self._standing[name]

    def _count(self, name: str, said: _Said, times: int) -> None:
        for node in said.given:
            if isinstance(node, ast.Name):
                self._standing.setdefault(node.id, Counter())[name] += times

    def of(self, name: str) -> Meaning:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._work_out(name)
        return known

    def given(self) -> Iterator[str]:
        """The names that the file gives a meaning."""
        return (name for name, saying in self._saying.items() if saying)

    def _work_out(self, name: str) -> Meaning:
        given = self._given(name)
        saying = self._of(name)
        if not saying:
            return _NOTHING
        doubtful = None in given or self._is_given(_ANY) or self._may_change(name, given)
        stands = {id(node): placed for placed, it in saying for node in (*it.given, *it.returned) if node is not None}
        return Meaning(
            ((*(it for it in given if it is not None), None) if doubtful else tuple(given)) if given else None,
            next((it.imported for _, it in reversed(saying) if it.imported is not None), None),
            tuple(node for _, it in saying for node in it.returned) or None,
            stands,
            len(given) == 1 and not self._is_hidden(saying),
            len(given) == sum(it.functions for _, it in saying) and not self._is_hidden(saying),
        )

    def _is_hidden(self, saying: list[tuple[Placed, _Said]]) -> bool:
        """Whether an import may give the name something else than what is said of it at the margin."""
        first = self._order[saying[0][0].item]
        starred = (self._order[placed.item] for placed, it in self._of(_ANY) if it.given)
        return any(it.imported is not None for _, it in saying) or any(it >= first for it in starred)

    def _may_change(self, name: str, given: list[ast.expr | None]) -> bool:
        """Whether another name for the same list or dict may have changed it."""
        if all(isinstance(it, ast.Constant) for it in given):
            return False
        for other in self._standing.get(name, ()):
            nodes = self._given(other)
            if None in nodes and any(isinstance(it, ast.Name) and it.id == name for it in nodes):
                return True
        return False

    def _is_given(self, name: str) -> bool:
        return any(it.given for _, it in self._of(name))

    def _given(self, name: str) -> list[ast.expr | None]:
        return [node for _, it in self._of(name) for node in it.given]

    def _of(self, name: str) -> list[tuple[Placed, _Said]]:
        """What is said of it, in the order of the file."""
        saying = self._saying.get(name)
        if not saying:
            return []
        placed = sorted(saying.values(), key=lambda it: self._order[it.item])
        return [(it, _said(it.statement)[name]) for it in placed]
