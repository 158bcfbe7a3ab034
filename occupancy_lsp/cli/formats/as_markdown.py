"""A check as Markdown, for the summary of a job or a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

from occupancy_lsp.cli.formats.compared import HEAD, summary
from occupancy_lsp.cli.formats.compared import rows as changed_rows
from occupancy_lsp.cli.formats.matrix import Matrix
from occupancy_lsp.cli.formats.result import About, Line, nearby
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.features.markdown import Reader, markdown
from occupancy_lsp.features.prose import Block, Bold, Bullets, Cell, Code, Folded, Table
from occupancy_lsp.findings.comparing import Comparison
from occupancy_lsp.findings.grouping import Group, groups
from occupancy_lsp.findings.records import SEVERITIES, FileRecord
from occupancy_lsp.findings.totals import Totals, counted

_MOST = 20_000  # characters of each of three tables: a comment may have 65,536
_OPEN = 12  # kernels that are shown without being asked for


class AsMarkdown:
    tells_problems = True

    def __init__(self, about: About) -> None:
        self._about = about
        self._totals = Totals()
        self._matrix = Matrix()
        self._found: list[tuple[str, Group]] = []
        self._compared: Comparison | None = None

    def file(self, record: FileRecord) -> Iterable[Line]:
        self._totals.count(record)
        self._matrix.add(record)
        self._found += [(record.path, it) for it in groups(record, record.path)]
        return ()

    def compared(self, comparison: Comparison) -> None:
        self._compared = comparison

    def end(self, problems: Sequence[Problem], interrupted: bool, out: TextIO) -> None:
        totals = self._totals
        prose: list[Block] = [(Bold(f"Occupancy: {totals.found}"), f" ({totals.looked_at})")]
        if problems:
            prose.append(Bullets(tuple((nearby(str(it)),) for it in problems)))
        worst = sorted(self._found, key=lambda it: SEVERITIES.index(it[1].severity), reverse=True)
        prose += _table(("severity", "where", "kernel", "finding", "rule"), [self._row(*it) for it in worst], "finding")
        if self._compared is not None:
            said = summary(self._compared)
            prose.append(f"{said[0].upper()}{said[1:]}.")
            changed = [
                (kind, Code(at), Code(kernel), on, text) for kind, at, kernel, on, text in changed_rows(self._compared)
            ]
            prose += _table(("change", *HEAD[1:]), changed, "kernel")
        elif kernels := self._matrix.rows:
            head, *rows = kernels
            shown = _table(head, [(Code(it[0]), Code(it[1]), *it[2:]) for it in rows], "kernel")
            folded = len(rows) > _OPEN
            prose += [Folded(f"{counted(len(rows), 'kernel')}", tuple(shown))] if folded else shown
        out.write(markdown(tuple(prose), Reader(folds=True)) + "\n")

    def _row(self, path: str, group: Group) -> tuple[Cell, ...]:
        kernel = Code(group.first.about) if group.first.about else ""
        message = group.message if self._about.matrix else group.short_message
        return group.severity, Code(f"{path}:{group.first.place.start.line}"), kernel, message, group.first.rule


def _table(head: tuple[str, ...], rows: Sequence[tuple[Cell, ...]], what: str) -> list[Block]:
    """As many rows as there is room for, and how many are left out."""
    shown = rows[: _fitting(head, rows)]
    left = len(rows) - len(shown)
    more = [f"{counted(left, f'more {what}')} not shown."] if left else []
    return [Table(head, tuple(shown)), *more] if rows else []


def _fitting(head: tuple[str, ...], rows: Sequence[tuple[Cell, ...]]) -> int:
    """How many of the rows: every cell is written as wide as its column."""
    widths = [len(it) for it in head]
    for number, row in enumerate(rows):
        cells = (len(it) if isinstance(it, str) else len(it.text) + 2 for it in row)
        widths = [max(pair) for pair in zip(widths, cells, strict=True)]
        if (number + 3) * (sum(widths) + 3 * len(widths) + 2) > _MOST:
            return number
    return len(rows)
