"""The baseline on disk: what every kernel was, one kernel a line, so that branches merge and a diff can be read."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from occupancy_lsp import __version__
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import read_file
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.findings.changes import kind_of
from occupancy_lsp.findings.records import SEVERITIES
from occupancy_lsp.findings.was import FindingKind, Key, Was, stands_for

NAME = ".occupancy-baseline.json"
_FORMAT = 1
_MOST_BYTES = 64 << 20
_LONGEST_PATH, _LONGEST_NAME = 2_048, 255
_REMEDY = "write it anew with `occupancy-lsp check --write-baseline`"


@dataclass(frozen=True, slots=True)
class Baseline:
    """`version`: of the program that wrote it. Paths are relative to the folder that the file is in."""

    kernels: Mapping[Key, Was] = field(default_factory=dict)
    version: str = __version__

    @property
    def paths(self) -> set[str]:
        return {key.path for key in self.kernels}


def read(path: Path, shown: str) -> Baseline | Problem:
    found = read_file(path, _MOST_BYTES)
    if found is None:
        remedy = "write one with `occupancy-lsp check --write-baseline`"
        return Problem(shown, 0, 0, "there is no such baseline", remedy)
    if isinstance(found, Problem):
        return Problem(shown, 0, 0, found.message)
    text = found.data.decode("utf-8", "replace")
    if any(line.startswith(("<<<<<<<", ">>>>>>>")) for line in text.splitlines()):
        line = next(at for at, it in enumerate(text.splitlines(), 1) if it.startswith(("<<<<<<<", ">>>>>>>")))
        return Problem(shown, line, 1, "a merge is not finished", "keep the lines of both sides, or write it anew")
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        return Problem(shown, getattr(error, "lineno", 0), getattr(error, "colno", 0), "no valid JSON", _REMEDY)
    if not isinstance(said, dict) or said.get("format") != _FORMAT:
        return Problem(shown, 1, 1, f"no baseline of format {_FORMAT}", _REMEDY)
    kernels: dict[Key, Was] = {}
    rows: Any = said.get("kernels")
    for order, row in enumerate(it for it in (rows if isinstance(rows, list) else [rows]) if it != {}):
        try:
            kernels.update(entries_of(row))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            return Problem(shown, _line(text, order), 1, "not as a baseline is written", _REMEDY)
    return Baseline(kernels, str(said.get("version", "")))


def _line(text: str, kernels: int) -> int:
    """Where the kernel stands that comes after so many."""
    rows = [at for at, line in enumerate(text.splitlines(), 1) if line.startswith('{"path"')]
    return rows[kernels] if kernels < len(rows) else 1


def entries_of(row: Mapping[str, Any]) -> Iterator[tuple[Key, Was]]:
    """ValueError, TypeError, KeyError, AttributeError, OverflowError: not as `_row` makes them."""
    names = row["path"], row["kernel"], row.get("instance", "")
    for arch, said in row["on"].items():
        if not all(isinstance(it, str) for it in (*names, arch)):
            raise TypeError
        if not _can_be_a_path(names[0]):
            raise ValueError
        yield Key(*names, arch), _was(said)


def _was(said: Mapping[str, Any]) -> Was:
    findings = _findings(said.get("findings", {}))
    if "source" not in said:
        return Was(findings=findings, figured=False)
    groups, percent, registers, local = (said.get(it) for it in ("groups", "percent", "registers", "bytes"))
    return Was(
        _pair(groups, int) if groups is not None else None,
        _pair(percent, float) if percent is not None else None,
        str(said["source"]),
        tuple(_number(it, int) for it in said.get("threads", ())),
        said.get("sure", True) is True,
        _pair(registers, int) if registers is not None else None,
        _pair(local, int) if local is not None else (0, 0),
        said.get("stale", False) is True,
        findings,
    )


def _pair(said: Any, kind: Any) -> Any:
    """One number stands for two equal ones."""
    low, high = said if isinstance(said, list) else (said, said)
    if not _number(low, kind) <= _number(high, kind):
        raise ValueError
    return _number(low, kind), _number(high, kind)


def _number(said: Any, kind: Any) -> Any:
    if isinstance(said, bool) or not isinstance(said, int | float) or not math.isfinite(said) or said < 0:
        raise ValueError
    return kind(said)


def _findings(said: Mapping[str, Any]) -> dict[FindingKind, int]:
    found = {}
    for rule, counts in said.items():
        for severity, count in counts.items():
            if severity not in SEVERITIES:
                raise ValueError
            found[FindingKind(rule, severity)] = _number(count, int)
    return found


def _can_be_a_path(text: str) -> bool:
    """Whether a system would look for it at all."""
    names = text.encode("utf-8", "surrogatepass").split(b"/")
    return "\0" not in text and len(text) <= _LONGEST_PATH and max(map(len, names)) <= _LONGEST_NAME


def text_of(kernels: Mapping[Key, Was]) -> str:
    """Sorted, a kernel to a line; the last line is empty braces, so that no other one changes when one is added."""
    ordered = sorted(kernels.items(), key=itemgetter(0))
    rows = [_row(key, list(each)) for key, each in groupby(ordered, lambda it: it[0][:3])]
    head = json.dumps({"format": _FORMAT, "version": __version__})[:-1]
    return "\n".join((f'{head}, "kernels": [', *(f"{row}," for row in rows), "{}]}")) + "\n"


def _row(key: tuple[str, ...], each: list[tuple[Key, Was]]) -> str:
    path, kernel, instance = key
    row: dict[str, object] = {"path": path, "kernel": kernel}
    if instance:
        row["instance"] = instance
    row["on"] = {it.arch: _said(was) for it, was in each}
    return json.dumps(row, ensure_ascii=False)


def _said(was: Was) -> dict[str, object]:
    said: dict[str, object] = {}
    if was.figured:
        spans = (("groups", was.groups), ("percent", was.percent), ("registers", was.registers), ("bytes", was.local))
        said |= {name: list(span) if span[0] != span[1] else span[0] for name, span in spans if span is not None}
        said |= {"threads": list(was.threads), "source": was.source}
        said |= {"sure": False} if not was.sure else {}
        said |= {"stale": True} if was.stale else {}
    findings: dict[str, dict[str, int]] = {}
    for (rule, severity), count in sorted(was.findings.items()):
        findings.setdefault(rule, {})[severity] = count
    return said | ({"findings": findings} if findings else {})


def shrunk(was: Mapping[Key, Was], now: Mapping[Key, Was]) -> dict[Key, Was]:
    """What a baseline becomes that may only get stricter: what is gone goes, what is better is taken."""
    return {key: _stricter(known, now[key]) for key, known in was.items() if key in now}


def _stricter(was: Was, now: Was) -> Was:
    keeps = was.figured and (not now.figured or kind_of(was, now) in ("lost", "unknown"))
    return replace(was if keeps else now, findings=_known(was.findings, now.findings))


def _known(was: Mapping[FindingKind, int], now: Mapping[FindingKind, int]) -> dict[FindingKind, int]:
    """Of the findings now, those that there were before: one that has become more severe is not among them."""
    left, found = Counter(was), Counter[FindingKind]()
    for it in sorted(Counter(now).elements(), key=lambda it: -SEVERITIES.index(it.severity)):
        if (before := stands_for(left, it)) is not None:
            left[before] -= 1
            found[it] += 1
    return dict(found)
