"""A kernel as it is, and with other values: tables for people."""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.cli.formats.result import nearby
from occupancy_lsp.core.table import aligned
from occupancy_lsp.features.panel_fields import NOT_STATED, Field
from occupancy_lsp.features.tried import Comparison

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
