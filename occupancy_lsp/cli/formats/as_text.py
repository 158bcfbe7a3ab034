"""A check as text for people: findings as compilers write them, and the hints drawn into the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from occupancy_lsp.cli.formats.result import SEVERITIES, Checked, Line, Told, nearby, place
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import Coloured, Part, say
from occupancy_lsp.core.text import Text
from occupancy_lsp.core.visible import visible
from occupancy_lsp.features.answers import Diagnostic, Hint
from occupancy_lsp.session.view import View

_COLOURS = {"error": "1;31", "warning": "1;33", "information": "1;34", "hint": "1;36"}
_WIDEST = 100  # columns of source; what stands beyond is cut off
_TAB = 4


@dataclass(frozen=True, slots=True)
class AsText:
    """`hints`: drawn into the source. `coloured`: as a terminal shows it."""

    hints: bool
    coloured: bool

    def told(self, checked: Checked) -> Told:
        view = checked.view
        if view is None:
            return Told(((f"{checked.path}: not checked: {checked.skipped}",),))
        return Told(
            tuple(self._lines(checked.path, view, checked)),
            files=1,
            kernels=len(view.facts.kernels),
            unread=len(view.facts.unread_kernels),
            devices=tuple(device.name for device in view.devices[:1] if view.reports),
            severities=tuple(finding.severity for finding in checked.findings),
        )

    def end(self, told: Sequence[Told], problems: Sequence[Problem], interrupted: bool) -> None:
        for problem in problems:
            say(nearby(str(problem)))
        devices = dict.fromkeys(device for it in told for device in it.devices)
        counts = Counter(severity for it in told for severity in it.severities)
        on = f" on {', '.join(devices)}" if devices else ""
        kernels, files = sum(it.kernels for it in told), sum(it.files for it in told)
        found = [_count(counts[name], _PLURAL[name]) for name in reversed(SEVERITIES) if counts[name]]
        say(f"{_count(kernels, 'kernel')} in {_count(files, 'file')}{on}: {', '.join(found) or 'no findings'}")
        if unread := sum(it.unread for it in told):
            looks = "looks like a kernel" if unread == 1 else "look like kernels"
            lists = "has it" if unread == 1 else "lists them"
            say(f"{_count(unread, 'place')} {looks} and could not be read: `occupancy-lsp doctor` {lists}")

    def _lines(self, path: str, view: View, checked: Checked) -> Iterator[Line]:
        if self.hints and checked.hints:
            yield from self._listing(path, view.text, checked.hints)
        for finding in checked.findings:
            yield from self._finding(path, view, finding)
        if self.hints and (checked.hints or checked.findings):
            yield ()

    def _listing(self, path: str, text: Text, hints: Iterable[Hint]) -> Iterator[Line]:
        """The lines that have hints, the hints aligned behind them."""
        labels: dict[int, list[str]] = {}
        for hint in hints:
            labels.setdefault(text.line_of(hint.offset), []).append(hint.label)
        lines = {line: _source(text, line).rstrip() for line in labels}
        column = max(len(line) for line in lines.values())
        yield (self._in("1", path),)
        for line, said in labels.items():
            shown = self._in("36", "  ".join(said))
            yield (f"{line + 1:>5} | {lines[line]:<{column}}   ", shown)

    def _finding(self, path: str, view: View, finding: Diagnostic) -> Iterator[Line]:
        start, end = place(view.text, finding.start), place(view.text, finding.end)
        severity = self._in(_COLOURS[finding.severity], f"{finding.severity}:")
        code = self._in("2", f"[{finding.code}]")
        yield (f"{path}:{start[0]}:{start[1]}: ", severity, f" {finding.message} ", code)
        source, mark = _marked(view.text, finding.start, finding.end if end[0] == start[0] else finding.start + 1)
        yield (f"{start[0]:>5} | {source}",)
        yield ("      | ", self._in(_COLOURS[finding.severity], mark))
        for related in finding.related:
            line, column = place(view.text, related.start)
            yield (f"{path}:{line}:{column}: note: {related.message}",)

    def _in(self, colour: str, text: str) -> Part:
        return Coloured(text, colour) if self.coloured else text


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
