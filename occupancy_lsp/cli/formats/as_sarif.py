"""A check as SARIF 2.1.0, within what GitHub's code scanning takes: a result for each rule, kernel and place."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO
from urllib.parse import quote

from occupancy_lsp import __version__
from occupancy_lsp.cli.formats.result import About, Line, nearby
from occupancy_lsp.cli.formats.rule_pages import described, first_paragraph, without_relative_links
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import complain, say_json
from occupancy_lsp.findings.grouping import Group, groups
from occupancy_lsp.findings.records import SEVERITIES, FileRecord, Range
from occupancy_lsp.rules import Rule, page
from occupancy_lsp.rules.registry import RULES

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
_PROBLEMS = {"error": "error", "warning": "warning", "information": "recommendation", "hint": "recommendation"}
# What GitHub takes: more results make it refuse the file, more related places are not shown.
_MOST_RESULTS, _MOST_RELATED, _LONGEST = 25_000, 100, 1_024
_INDICES = {rule.code: index for index, rule in enumerate(RULES)}


class AsSarif:
    tells_problems = False

    def __init__(self, about: About) -> None:
        self._about = about
        self._results: list[tuple[int, dict[str, object]]] = []

    def file(self, record: FileRecord) -> Iterable[Line]:
        path = self._about.relative(record.absolute)
        found = groups(record, path)
        self._results += [(SEVERITIES.index(it.severity), _result(self._address(record.absolute), it)) for it in found]
        return ()

    def end(self, problems: Sequence[Problem], interrupted: bool, out: TextIO) -> None:
        worst = sorted(self._results, key=lambda it: it[0], reverse=True)[:_MOST_RESULTS]
        notes = [_notification(nearby(str(it)), "error" if it.grave else "warning") for it in problems]
        if len(worst) < len(self._results):
            left = (
                f"{len(self._results) - _MOST_RESULTS} of {len(self._results)} results, the least severe, are left out"
            )
            complain(f"SARIF: {left}: GitHub takes {_MOST_RESULTS}")
            notes.append(_notification(left, "warning"))
        done = not any(it.grave for it in problems)
        run = {
            "tool": {"driver": _driver()},
            "columnKind": "utf16CodeUnits",
            "invocations": [{"executionSuccessful": done and not interrupted, "toolExecutionNotifications": notes}],
            "results": [result for _, result in worst],
        }
        say_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, out=out)

    def _address(self, path: Path) -> dict[str, object]:
        if not path.is_relative_to(self._about.top):
            return {"uri": path.as_uri()}
        relative = path.relative_to(self._about.top)
        return {"uri": quote(os.fsencode(relative.as_posix())), "uriBaseId": "%SRCROOT%"}


def _driver() -> dict[str, object]:
    rules = [_rule(it) for it in RULES]
    return {"name": "occupancy-lsp", "version": __version__, "semanticVersion": __version__, "rules": rules}


def _rule(rule: Rule) -> dict[str, object]:
    text = page(rule.code).read_text("utf-8")
    return {
        "id": rule.code,
        "shortDescription": {"text": described(rule)[:_LONGEST]},
        "fullDescription": {"text": first_paragraph(text)[:_LONGEST]},
        "help": {"text": first_paragraph(text), "markdown": without_relative_links(text)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "precision": "very-high" if rule.severity == "error" else "high",
            "problem.severity": _PROBLEMS[rule.severity],
            "tags": ["gpu", "occupancy", "correctness" if rule.severity == "error" else "performance"],
        },
    }


def _notification(text: str, level: str) -> dict[str, object]:
    return {"level": level, "message": {"text": _plain(text)}}


def _result(address: dict[str, object], group: Group) -> dict[str, object]:
    first, kernel = group.first, group.kernel
    message = _plain(group.message)
    related = [_related(address, it.place, it.message) for it in first.related[:_MOST_RELATED]]
    if kernel is not None and first.outside:
        message += f". Kernel: [{_plain(kernel.name)}]({len(related)})"
        related.append(_related(address, kernel.place, f"kernel {kernel.name}"))
    location = _location(address, first.place)
    if first.about:
        location["logicalLocations"] = [{"fullyQualifiedName": first.about, "kind": "function"}]
    found: dict[str, object] = {"ruleId": first.rule, "ruleIndex": _INDICES[first.rule]}
    found |= {"level": _LEVELS[group.severity], "message": {"text": message}, "locations": [location]}
    if related:
        found["relatedLocations"] = [{"id": order, **it} for order, it in enumerate(related)]
    return {**found, "partialFingerprints": {"primaryLocationLineHash": f"{group.fingerprint}:1"}}


def _related(address: dict[str, object], place: Range, message: str) -> dict[str, object]:
    return {**_location(address, place), "message": {"text": _plain(message)}}


def _location(address: dict[str, object], place: Range) -> dict[str, object]:
    start, end = place.start, place.end
    region = {"startLine": start.line, "startColumn": start.utf16, "endLine": end.line, "endColumn": end.utf16}
    return {"physicalLocation": {"artifactLocation": address, "region": region}}


def _plain(text: str) -> str:
    """Brackets begin a link in the text of a message."""
    return text.replace("\\", r"\\").replace("[", r"\[").replace("]", r"\]")
