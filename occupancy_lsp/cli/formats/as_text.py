"""A check as text for people: findings as compilers write them, and the hints drawn into the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from occupancy_lsp.cli.formats.result import Line, nearby
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import Coloured, Part, say
from occupancy_lsp.findings.records import SEVERITIES, FileRecord, FindingRecord, HintedLine

_COLOURS = {"error": "1;31", "warning": "1;33", "information": "1;34", "hint": "1;36"}
_PLURAL = {"error": "error", "warning": "warning", "information": "remark", "hint": "hint"}


class AsText:
    """`hints`: drawn into the source. `coloured`: as a terminal shows it."""

    def __init__(self, hints: bool, coloured: bool) -> None:
        self._hints = hints
        self._coloured = coloured
        self._files = self._kernels = self._unread = 0
        self._devices: dict[str, None] = {}
        self._severities: Counter[str] = Counter()

    def file(self, record: FileRecord) -> Iterable[Line]:
        if record.skipped:
            return ((f"{record.path}: not checked: {record.skipped}",),)
        self._files += 1
        self._kernels += len(record.kernels)
        self._unread += len(record.unread_kernels)
        self._severities.update(it.severity for it in record.findings)
        if record.device and record.kernels:
            self._devices[record.device.name] = None
        return self._lines(record)

    def end(self, problems: Sequence[Problem], interrupted: bool, out: TextIO) -> None:
        for problem in problems:
            say(nearby(str(problem)), out=out)
        on = f" on {', '.join(self._devices)}" if self._devices else ""
        counts = self._severities
        found = [_count(counts[name], _PLURAL[name]) for name in reversed(SEVERITIES) if counts[name]]
        total = f"{_count(self._kernels, 'kernel')} in {_count(self._files, 'file')}{on}"
        say(f"{total}: {', '.join(found) or 'no findings'}", out=out)
        if unread := self._unread:
            looks = "looks like a kernel" if unread == 1 else "look like kernels"
            lists = "has it" if unread == 1 else "lists them"
            say(f"{_count(unread, 'place')} {looks} and could not be read: `occupancy-lsp doctor` {lists}", out=out)

    def _lines(self, record: FileRecord) -> Iterator[Line]:
        if self._hints and record.hinted:
            yield from self._listing(record.path, record.hinted)
        for finding in record.findings:
            yield from self._finding(record.path, finding)
        if self._hints and (record.hinted or record.findings):
            yield ()

    def _listing(self, path: str, lines: Sequence[HintedLine]) -> Iterator[Line]:
        """The lines that have hints, the hints aligned behind them."""
        column = max(len(it.text) for it in lines)
        yield (self._in("1", path),)
        for it in lines:
            yield (f"{it.number:>5} | {it.text:<{column}}   ", self._in("36", "  ".join(it.hints)))

    def _finding(self, path: str, finding: FindingRecord) -> Iterator[Line]:
        at = finding.place.start
        severity = self._in(_COLOURS[finding.severity], f"{finding.severity}:")
        code = self._in("2", f"[{finding.rule}]")
        yield (f"{path}:{at.line}:{at.column}: ", severity, f" {finding.message} ", code)
        yield (f"{at.line:>5} | {finding.line}",)
        yield ("      | ", self._in(_COLOURS[finding.severity], finding.mark))
        for related in finding.related:
            there = related.place.start
            yield (f"{path}:{there.line}:{there.column}: note: {related.message}",)

    def _in(self, colour: str, text: str) -> Part:
        return Coloured(text, colour) if self._coloured else text


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
