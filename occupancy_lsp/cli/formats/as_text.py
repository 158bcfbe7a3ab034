"""A check as text for people: findings as compilers write them, and the hints drawn into the source."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence

from occupancy_lsp.cli.formats.result import SEVERITIES, Checked, nearby, place
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import Coloured, Part
from occupancy_lsp.core.text import Text
from occupancy_lsp.core.visible import visible
from occupancy_lsp.features.answers import Diagnostic, Hint
from occupancy_lsp.session.view import View

_COLOURS = {"error": "1;31", "warning": "1;33", "information": "1;34", "hint": "1;36"}
_WIDEST = 100  # columns of source; what stands beyond is cut off
_TAB = 4


class TextReport:
    """`add` and `end` return the lines that are to be printed."""

    def __init__(self, hints: bool, terminal: bool) -> None:
        self._hints = hints
        self._coloured = terminal and not os.environ.get("NO_COLOR")
        self._lines: list[tuple[Part, ...]] = []
        self._counts: Counter[str] = Counter()
        self._kernels = 0
        self._files = 0
        self._devices: dict[str, None] = {}

    def add(self, checked: Checked) -> Sequence[tuple[Part, ...]]:
        self._lines = []
        view = checked.view
        if view is None:
            self._print(f"{checked.path}: not checked: {checked.skipped}")
            return self._lines
        self._files += 1
        self._kernels += len(view.facts.kernels)
        self._devices |= {device.name: None for device in view.devices[:1] if view.reports}
        self._counts.update(finding.severity for finding in checked.findings)
        if self._hints and checked.hints:
            self._listing(checked.path, view.text, checked.hints)
        for finding in checked.findings:
            self._finding(checked.path, view, finding)
        if self._hints and (checked.hints or checked.findings):
            self._print()
        return self._lines

    def end(self, problems: Sequence[Problem]) -> Sequence[tuple[Part, ...]]:
        self._lines = []
        for problem in problems:
            self._print(nearby(str(problem)))
        on = f" on {', '.join(self._devices)}" if self._devices else ""
        what = f"{_count(self._kernels, 'kernel')} in {_count(self._files, 'file')}{on}"
        found = [_count(self._counts[name], _PLURAL[name]) for name in reversed(SEVERITIES) if self._counts[name]]
        self._print(f"{what}: {', '.join(found) or 'no findings'}")
        return self._lines

    def _listing(self, path: str, text: Text, hints: Iterable[Hint]) -> None:
        """The lines that have hints, the hints aligned behind them."""
        labels: dict[int, list[str]] = {}
        for hint in hints:
            labels.setdefault(text.line_of(hint.offset), []).append(hint.label)
        lines = {line: _source(text, line).rstrip() for line in labels}
        column = max(len(line) for line in lines.values())
        self._print(self._in("1", path))
        for line, said in labels.items():
            shown = self._in("36", "  ".join(said))
            self._print(f"{line + 1:>5} | {lines[line]:<{column}}   ", shown)

    def _finding(self, path: str, view: View, finding: Diagnostic) -> None:
        start, end = place(view.text, finding.start), place(view.text, finding.end)
        severity = self._in(_COLOURS[finding.severity], f"{finding.severity}:")
        code = self._in("2", f"[{finding.code}]")
        self._print(f"{path}:{start[0]}:{start[1]}: ", severity, f" {finding.message} ", code)
        source, mark = _marked(view.text, finding.start, finding.end if end[0] == start[0] else finding.start + 1)
        self._print(f"{start[0]:>5} | {source}")
        self._print("      | ", self._in(_COLOURS[finding.severity], mark))
        for related in finding.related:
            line, column = place(view.text, related.start)
            self._print(f"{path}:{line}:{column}: note: {related.message}")

    def _print(self, *parts: Part) -> None:
        self._lines.append(parts)

    def _in(self, colour: str, text: str) -> Part:
        return Coloured(text, colour) if self._coloured else text


_PLURAL = {"error": "error", "warning": "warning", "information": "remark", "hint": "hint"}


def _source(text: Text, line: int) -> str:
    row = _columns(text.content[text.line_start(line) : text.line_end(line)])
    return row if len(row) <= _WIDEST else row[: _WIDEST - 1] + "…"


def _marked(text: Text, start: int, end: int) -> tuple[str, str]:
    """The line of `start`, cut so that `start` is in it, and the marks below it up to `end`."""
    line = text.line_of(start)
    first, last = text.line_start(line), text.line_end(line)
    # The bytes before a mark, as they are shown, say at which column it stands.
    row, at = _columns(text.content[first:last]), len(_columns(text.content[first:start]))
    until = max(len(_columns(text.content[first : min(end, last)])), at + 1)
    cut = max(at - _WIDEST // 2, 0) if until > _WIDEST else 0
    shown = row[cut : cut + _WIDEST]
    return shown, " " * (at - cut) + "^" + "~" * (min(until, cut + _WIDEST) - at - 1)


def _columns(content: bytes) -> str:
    """Source as it is shown: a character to a column."""
    return visible(content.decode("utf-8", "replace").expandtabs(_TAB))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
