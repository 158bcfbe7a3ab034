"""A check as a report of GitLab's code quality."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

from occupancy_lsp.cli.formats.result import About, Line
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import say_json
from occupancy_lsp.findings.grouping import Group, groups
from occupancy_lsp.findings.records import FileRecord

_SEVERITIES = {"error": "critical", "warning": "major", "information": "minor", "hint": "info"}


class AsGitLab:
    tells_problems = False

    def __init__(self, about: About) -> None:
        self._about = about
        self._issues: list[dict[str, object]] = []

    def file(self, record: FileRecord) -> Iterable[Line]:
        path = self._about.relative(record.absolute)
        self._issues += [_issue(path, it) for it in groups(record, path)]
        return ()

    def end(self, problems: Sequence[Problem], interrupted: bool, out: TextIO) -> None:
        say_json(self._issues, indent=1, out=out)


def _issue(path: str, group: Group) -> dict[str, object]:
    place = group.first.place
    return {
        "type": "issue",
        "check_name": group.first.rule,
        "description": group.message,
        "severity": _SEVERITIES[group.severity],
        "fingerprint": group.fingerprint,
        "location": {"path": path, "lines": {"begin": place.start.line, "end": place.end.line}},
    }
