"""A check as one JSON object. docs/command-line.md describes it; what it has keeps its meaning within `version`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

from occupancy_lsp.analysis.inputs import Barriers, GroupSize, Local, Registers
from occupancy_lsp.cli.formats.compared import as_data
from occupancy_lsp.cli.formats.internal_errors import InternalError
from occupancy_lsp.cli.formats.result import About, Line, nearby
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import say_json
from occupancy_lsp.findings.comparing import Comparison
from occupancy_lsp.findings.records import FileRecord, FindingRecord, KernelRecord, OnDevice
from occupancy_lsp.model.occupancy import Occupancy

_VERSION = 1


class AsJson:
    """Is printed as a whole, at the end."""

    tells_problems = True

    def __init__(self, about: About) -> None:
        self._about = about
        self._files: list[dict[str, object]] = []
        self._compared: dict[str, object] = {}

    def file(self, record: FileRecord) -> Iterable[Line]:
        self._files.append(entry(record, self._about.matrix))
        return ()

    def compared(self, comparison: Comparison) -> None:
        self._compared = {"comparison": as_data(comparison)}

    def end(self, problems: Sequence[Problem], interrupted: bool, out: TextIO) -> None:
        faults = [problem_entry(it) for it in problems]
        found = {"version": _VERSION, "interrupted": interrupted, "files": self._files, "problems": faults}
        found |= self._compared
        say_json(found, indent=1, out=out)


def entry(record: FileRecord, matrix: bool = False) -> dict[str, object]:
    """`matrix`: findings say on which devices they are."""
    return {
        "path": record.path,
        "skipped": record.skipped or None,
        "device": _device(record),
        "kernels": [_kernel(it) for it in record.kernels],
        "findings": [_finding(it) | ({"devices": list(it.devices)} if matrix else {}) for it in record.findings],
        "unread_kernels": list(record.unread_kernels),
        "hidden_kernels": list(record.hidden_kernels),
        "hidden_launches": list(record.hidden_launches),
    }


def problem_entry(problem: Problem) -> dict[str, object]:
    message = f"internal error: {problem.message}" if isinstance(problem, InternalError) else problem.message
    return {"path": nearby(problem.path), "line": problem.line, "column": problem.column, "message": message}


def _device(record: FileRecord) -> dict[str, object] | None:
    device = record.device
    if device is None:
        return None
    return {"id": device.id, "name": device.name, "arch": device.arch, "chosen_by": record.chosen_by}


def _kernel(kernel: KernelRecord) -> dict[str, object]:
    at = kernel.place.start
    return {"name": kernel.name, "line": at.line, "column": at.column, "on": [_on_device(it) for it in kernel.on]}


def _on_device(on: OnDevice) -> dict[str, object]:
    return {
        "device": on.device.id,
        "hint": on.label.text if on.label else None,
        "figure": {"lowest": point(on.lowest), "highest": point(on.highest)} if on.lowest and on.highest else None,
        "source": on.source,
        "error": on.error or None,
        "inputs": {
            "workgroup": _size(on.size),
            "registers": _registers(on.registers),
            **_local(on.local),
            "barriers": _barriers(on.barriers),
        },
    }


def point(result: Occupancy) -> dict[str, object]:
    return {"groups": result.groups, "subgroups": result.sub_groups, "percent": result.percent}


def _size(size: GroupSize) -> dict[str, object]:
    said = {"sizes": list(size.sizes), "upper_bound": size.bounded, "assumed": size.assumed}
    return {**said, "origin": size.origin or None, "reason": size.reason or None}


def _registers(count: Registers) -> dict[str, object]:
    """`lowest` null: no count is known; then `highest` is what bounds and device allow."""
    return {
        "lowest": count.lowest,
        "highest": count.highest,
        "source": count.source,
        "origin": nearby(count.origin) or None,
        "freshness": count.freshness,
    }


def _local(memory: Local) -> dict[str, object]:
    ends = {"static_local": memory.static, "dynamic_local": memory.dynamic}
    spans: dict[str, object] = {key: {"lowest": span[0], "highest": span[1]} for key, span in ends.items()}
    reason = memory.reason or memory.dynamic_reason or None
    return {**spans, "local_origin": memory.origin, "local_reason": reason, "calls_unseen": list(memory.unseen)}


def _barriers(count: Barriers) -> dict[str, object]:
    return {
        "lowest": count.lowest,
        "highest": count.highest,
        "origin": count.origin or None,
        "reason": count.reason or None,
    }


def _finding(finding: FindingRecord) -> dict[str, object]:
    start, end = finding.place.start, finding.place.end
    found: dict[str, object] = {"line": start.line, "column": start.column}
    found |= {"end_line": end.line, "end_column": end.column}
    found |= {"code": finding.rule, "severity": finding.severity, "message": finding.message}
    related = [(it.place.start, it.message) for it in finding.related]
    found["related"] = [{"line": at.line, "column": at.column, "message": message} for at, message in related]
    return found
