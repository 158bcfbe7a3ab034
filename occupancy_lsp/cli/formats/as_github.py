"""A check as workflow commands, of which GitHub makes annotations at the lines of a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TextIO

from occupancy_lsp.cli.formats.result import About, Line
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import say
from occupancy_lsp.core.visible import visible
from occupancy_lsp.findings.grouping import Group, groups
from occupancy_lsp.findings.records import FileRecord
from occupancy_lsp.findings.totals import Totals

_LEVELS = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}
_MOST = 10  # annotations of a level that GitHub shows of one step


class AsGitHub:
    """Printed at the end, errors first: GitHub shows the first of each level."""

    tells_problems = True

    def __init__(self, about: About) -> None:
        self._about = about
        self._totals = Totals()
        self._found: dict[str, list[str]] = {"error": [], "warning": [], "notice": []}

    def file(self, record: FileRecord) -> Iterable[Line]:
        self._totals.count(record)
        path = self._about.relative(record.absolute)
        for it in groups(record, path):
            self._found[_LEVELS[it.severity]].append(_command(_LEVELS[it.severity], path, it))
        return ()

    def end(self, problems: Sequence[Problem], interrupted: bool, out: TextIO) -> None:
        for problem in problems:
            say(f"::{'error' if problem.grave else 'warning'} title=occupancy-lsp::{_data(str(problem))}", out=out)
        for commands in self._found.values():
            for command in commands:
                say(command, out=out)
        say(f"{self._totals.looked_at}: {self._totals.found}", out=out)
        left = Counter({level: len(commands) - _MOST for level, commands in self._found.items()})
        if told := ", ".join(f"{count} {level}s" for level, count in left.items() if count > 0):
            say(f"GitHub shows {_MOST} annotations of each level for one step; not among them: {told}", out=out)


def _command(level: str, path: str, group: Group) -> str:
    start, end = group.first.place.start, group.first.place.end
    # GitHub takes columns only of what ends in the line in which it begins.
    columns = {"col": start.utf16, "endColumn": end.utf16} if start.line == end.line else {}
    rule = group.first.rule
    title = rule if rule.startswith("occupancy") else f"occupancy {rule}"
    given = {"file": path, "line": start.line, "endLine": end.line, **columns, "title": title}
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in given.items())
    notes = (f"line {it.place.start.line}: {it.message}" for it in group.first.related)
    return f"::{level} {properties}::{_data(chr(10).join((group.message, *notes)))}"


def _data(text: str) -> str:
    escaped = "\n".join(map(visible, text.split("\n"))).replace("%", "%25")
    return escaped.replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
