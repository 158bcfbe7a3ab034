"""A check as one JSON object. docs/command-line.md describes it; what it has keeps its meaning within `version`."""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.analysis.inputs import Barriers, GroupSize, Local, Registers
from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.cli.formats.internal_errors import InternalError
from occupancy_lsp.cli.formats.result import Checked, Told, nearby, place
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import say_json
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.answers import Diagnostic
from occupancy_lsp.features.labels import kernel_label
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Occupancy
from occupancy_lsp.session.view import View

_VERSION = 1


class AsJson:
    """Has no lines to be printed until the end, when it is printed as a whole."""

    def told(self, checked: Checked) -> Told:
        view = checked.view
        file: dict[str, object] = {"path": checked.path, "skipped": checked.skipped or None, "device": None}
        file |= {"kernels": [], "findings": [], "unread_kernels": []}
        if view is not None:
            if view.device is not None:
                file["device"] = _device(view.device, view.origin)
            file["kernels"] = [_kernel(view, index) for index in range(len(view.facts.kernels))]
            file["unread_kernels"] = [place(view.text, view.span(it)[0])[0] for it in view.facts.unread_kernels]
            file["findings"] = [_finding(view.text, finding) for finding in checked.findings]
        return Told(entry=file, severities=tuple(finding.severity for finding in checked.findings))

    def end(self, told: Sequence[Told], problems: Sequence[Problem], interrupted: bool) -> None:
        files, faults = [it.entry for it in told], [_problem(it) for it in problems]
        say_json({"version": _VERSION, "interrupted": interrupted, "files": files, "problems": faults}, indent=1)


def _problem(problem: Problem) -> dict[str, object]:
    message = f"internal error: {problem.message}" if isinstance(problem, InternalError) else problem.message
    return {"path": nearby(problem.path), "line": problem.line, "column": problem.column, "message": message}


def _device(device: Device, origin: str) -> dict[str, object]:
    return {"id": device.id, "name": device.name, "arch": device.arch.id, "chosen_by": origin}


def _kernel(view: View, index: int) -> dict[str, object]:
    kernel = view.facts.kernels[index]
    line, column = place(view.text, view.span(kernel.name_place)[0])
    on = [_on_device(reports[index]) for reports in (view.reports, *view.others) if reports]
    return {"name": kernel.qualified, "line": line, "column": column, "on": on}


def _on_device(report: KernelReport) -> dict[str, object]:
    figure, label = report.figure, kernel_label(report)
    return {
        "device": report.device.id,
        "hint": label.text if label else None,
        "figure": _figure(figure) if figure else None,
        "source": figure.source if figure else None,
        "error": str(report.defect) if report.defect else None,
        "inputs": {
            "workgroup": _size(report.size),
            "registers": _registers(report.registers),
            **_local(report.local),
            "barriers": _barriers(report.built.barriers),
        },
    }


def _figure(figure: Figure) -> dict[str, object]:
    return {"lowest": _point(figure.lowest), "highest": _point(figure.highest)}


def _point(result: Occupancy) -> dict[str, object]:
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


def _finding(text: Text, finding: Diagnostic) -> dict[str, object]:
    (line, column), (end_line, end_column) = place(text, finding.start), place(text, finding.end)
    found: dict[str, object] = {"line": line, "column": column, "end_line": end_line, "end_column": end_column}
    found |= {"code": finding.code, "severity": finding.severity, "message": finding.message}
    related = [(place(text, it.start), it.message) for it in finding.related]
    found["related"] = [{"line": at[0], "column": at[1], "message": message} for at, message in related]
    return found
