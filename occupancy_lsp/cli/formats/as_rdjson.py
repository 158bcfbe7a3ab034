"""A check as reviewdog's diagnostics (rdjson), with the edits that mend what was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

from occupancy_lsp.cli.formats.result import About, Line
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import say_json
from occupancy_lsp.findings.grouping import Group, groups
from occupancy_lsp.findings.records import FileRecord, Position, Range

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "information": "INFO", "hint": "INFO"}


class AsRdjson:
    tells_problems = False

    def __init__(self, about: About) -> None:
        self._about = about
        self._found: list[dict[str, object]] = []

    def file(self, record: FileRecord) -> Iterable[Line]:
        path = self._about.relative(record.absolute)
        self._found += [_diagnostic(path, it) for it in groups(record, path)]
        return ()

    def end(self, problems: Sequence[Problem], interrupted: bool, out: TextIO) -> None:
        say_json({"source": {"name": "occupancy-lsp"}, "diagnostics": self._found}, indent=1, out=out)


def _diagnostic(path: str, group: Group) -> dict[str, object]:
    first = group.first
    found: dict[str, object] = {
        "message": group.message,
        "location": {"path": path, "range": _range(first.place)},
        "severity": _SEVERITIES[group.severity],
        "code": {"value": first.rule},
    }
    related = [{"message": it.message, "location": {"path": path, "range": _range(it.place)}} for it in first.related]
    # One suggestion: a reviewer may take each that is shown, and two edits of one number do not go together.
    whole = next((it.whole for it in first.suggestions if it.whole), None)
    return {
        **found,
        **({"related_locations": related} if related else {}),
        **({"suggestions": [{"range": _range(whole.place), "text": whole.text}]} if whole else {}),
    }


def _range(place: Range) -> dict[str, object]:
    return {"start": _position(place.start), "end": _position(place.end)}


def _position(position: Position) -> dict[str, int]:
    """Columns are bytes of UTF-8."""
    return {"line": position.line, "column": position.byte}
