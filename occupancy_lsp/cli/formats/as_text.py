"""A check as text for people: findings as compilers write them, and the hints drawn into the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TextIO

from occupancy_lsp.cli.formats.compared import rows, summary
from occupancy_lsp.cli.formats.matrix import Matrix
from occupancy_lsp.cli.formats.result import About, Line, nearby
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.table import aligned
from occupancy_lsp.core.terminal import Coloured, Part, say
from occupancy_lsp.findings.comparing import Comparison
from occupancy_lsp.findings.grouping import on
from occupancy_lsp.findings.records import FileRecord, FindingRecord, HintedLine
from occupancy_lsp.findings.totals import Totals, counted
from occupancy_lsp.rules.registry import RULES

_ASSUME = "with `assume: {block: 256}` in .occupancy.yaml, figures are shown for that size"
_MOST_NAMES = 3
_COLOURS = {"error": "1;31", "warning": "1;33", "information": "1;34", "hint": "1;36"}


class AsText:
    tells_problems = True
    _advises = True  # also where nothing was found

    def __init__(self, about: About) -> None:
        self._about = about
        self._totals = Totals()
        self._matrix = Matrix()
        self._counts: Counter[str] = Counter()  # findings, by rule
        self._compared: Comparison | None = None

    def file(self, record: FileRecord) -> Iterable[Line]:
        if record.skipped:
            return ((f"{record.path}: not checked: {record.skipped}",),)
        self._totals.count(record)
        self._counts.update(it.rule for it in record.findings)
        if self._about.table:
            self._matrix.add(record)
        return self._lines(record)

    def compared(self, comparison: Comparison) -> None:
        self._compared = comparison

    def end(self, problems: Sequence[Problem], interrupted: bool, out: TextIO) -> None:
        for line in aligned(self._matrix.rows):
            say(line, out=out)
        if self._compared is not None:
            for line in aligned(rows(self._compared)):
                say(line, out=out)
            say(summary(self._compared), out=out)
        for problem in problems:
            say(nearby(str(problem)), out=out)
        if self._about.statistics:
            for line in aligned([*_statistics(self._counts)]):
                say(line, out=out)
        if not self._about.quiet:
            self._say_totals(self._totals, out)

    def _say_totals(self, totals: Totals, out: TextIO) -> None:
        say(f"{totals.looked_at}: {totals.found}", out=out)
        if (without := totals.without_figure) and self._advises:
            these = "a kernel without a figure" if without == 1 else "kernels without a figure"
            count = "" if without == 1 else f"{without} "
            size = f"{' or '.join(totals.groups)} size{'s' * (without > 1)}"
            say(f"{count}{these}: the source does not say the {size}; {_ASSUME}", out=out)
            for name, kernels in totals.undefined.most_common(_MOST_NAMES):
                them = f"{kernels} of them" if kernels > 1 else "one of them" if without > 1 else "it"
                hangs = "hang" if kernels > 1 else "hangs"
                say(f"  {them} {hangs} on {name}, which no file defines: say it under `macros:` there", out=out)
        if unread := totals.unread:
            looks = "looks like a kernel" if unread == 1 else "look like kernels"
            lists = "has it" if unread == 1 else "lists them"
            say(f"{counted(unread, 'place')} {looks} and could not be read: `occupancy-lsp doctor` {lists}", out=out)
        if hidden := totals.hidden:
            single = totals.hidden_kernels + totals.hidden_launches == 1
            stands, lists = ("stands", "has it") if single else ("stand", "lists them")
            why = "under an #if that nothing in sight makes true"
            say(f"{hidden} {stands} {why}: `occupancy-lsp doctor` {lists}", out=out)

    def _lines(self, record: FileRecord) -> Iterator[Line]:
        hints = self._about.hints
        if hints and record.hinted:
            yield from self._listing(record, record.hinted)
        for finding in () if self._about.statistics else record.findings:
            yield from self._finding(record.path, finding)
        if hints and (record.hinted or record.findings):
            yield ()

    def _listing(self, record: FileRecord, lines: Sequence[HintedLine]) -> Iterator[Line]:
        """The lines that have hints, the hints aligned behind them."""
        column = max(len(it.text) for it in lines)
        yield self._in("1", record.path), f" on {' and '.join(it.name for it in record.judged)}"
        for it in lines:
            yield (f"{it.number:>5} | {it.text:<{column}}   ", self._in("36", "  ".join(it.hints)))

    def _finding(self, path: str, finding: FindingRecord) -> Iterator[Line]:
        yield self._headline(path, finding)
        yield (f"{finding.place.start.line:>5} | {finding.line}",)
        yield ("      | ", self._in(_COLOURS[finding.severity], finding.mark))
        for related in finding.related:
            there = related.place.start
            yield (f"{path}:{there.line}:{there.column}: note: {related.message}",)

    def _headline(self, path: str, finding: FindingRecord) -> Line:
        at, where = finding.place.start, on(finding) if self._about.matrix else ""
        severity = self._in(_COLOURS[finding.severity], f"{finding.severity}:")
        code = self._in("2", f"[{finding.rule}]")
        return f"{path}:{at.line}:{at.column}: ", severity, f" {finding.message}{where} ", code

    def _in(self, colour: str, text: str) -> Part:
        return Coloured(text, colour) if self._about.coloured else text


def _statistics(counts: Mapping[str, int]) -> Iterator[tuple[str, str, str]]:
    """The most frequent rule first."""
    summaries = {it.code: it.summary for it in RULES}
    for code in sorted(counts, key=lambda it: (-counts[it], it)):
        yield str(counts[code]), code, summaries.get(code, "")


class AsConcise(AsText):
    """A line for each finding."""

    _advises = False

    def _finding(self, path: str, finding: FindingRecord) -> Iterator[Line]:
        yield self._headline(path, finding)


class AsTotals(AsText):
    """No findings: how much was looked at, and how much was found."""

    def _finding(self, path: str, finding: FindingRecord) -> Iterator[Line]:
        yield from ()
