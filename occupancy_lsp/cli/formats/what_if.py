"""A kernel as it is, and with other values: tables for people, objects for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.cli.formats.as_json import point
from occupancy_lsp.cli.formats.result import nearby
from occupancy_lsp.core.table import aligned
from occupancy_lsp.features.panel_fields import NOT_STATED, Field
from occupancy_lsp.features.tried import Comparison, Ends, Told, comparison, figure_with, read, tried

TRIED = "*"  # marks what is tried
_NO_SOURCE = "not known"


def inputs(fields: Sequence[Field]) -> list[str]:
    """Those that the kernel or a person says something of: the value, and where it comes from."""
    rows = [(it.label, _value(it), nearby(it.source) or _NO_SOURCE) for it in fields if it.source or _is_open(it)]
    return [f"  {line}" for line in aligned(rows)]


def _is_open(field: Field) -> bool:
    return not field.value and field.range != NOT_STATED


def _value(field: Field) -> str:
    if field.changed:
        return f"{field.value}{TRIED} (now {field.range})" if field.range != NOT_STATED else f"{field.value}{TRIED}"
    return field.value or field.range


def compared(found: Sequence[Comparison]) -> list[str]:
    """A row for each device."""
    head = ("device", "now", "limited by", "source", f"what if{TRIED}", "limited by")
    rows = [
        (
            it.device.name,
            it.now.share or "not known",
            it.now.limits or "–",
            it.now.source or "–",
            it.fault or it.then.share or "not known",
            it.then.limits or "–",
        )
        for it in found
    ]
    return [f"  {line}" for line in aligned([head, *rows])]


def as_json(report: KernelReport, given: Mapping[str, object], names: Mapping[str, str]) -> dict[str, object]:
    """The kernel on the report's device. `given`: by the fields of Need; `names`: what the user calls these."""
    it, (changes, _) = comparison(report, given), read(report.device, given)
    then = tried(it.device, figure_with(report, changes), changes) if changes else None
    return {
        "device": {"id": it.device.id, "name": it.device.name, "arch": it.device.arch.id},
        "now": _told(tried(it.device, report.figure, {}), it.now),
        "then": _told(then, it.then),
        "refused": it.fault or None,
        "without_meaning": [names[key] for key in it.without],
        "inputs": [_input(field) for field in it.fields],
    }


def _told(ends: Ends | None, told: Told) -> dict[str, object] | None:
    if ends is None:
        return None
    (_, best), (_, worst) = ends
    figure = {"lowest": point(worst), "highest": point(best)}
    return {"text": told.share, "figure": figure, "limited_by": told.limits or None, "source": told.source or None}


def _input(field: Field) -> dict[str, object]:
    said = {key: value or None for key, value in asdict(field).items() if key in ("value", "range", "source")}
    return {"name": field.label, **said, "changed": field.changed}
