"""OCC305: the compiler's counts are older than the text."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from occupancy_lsp.analysis.inputs import Counted
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding


def _check(report: KernelReport) -> Iterator[Finding]:
    freshness = report.registers.freshness
    old = next((it for it in report.counted if it.freshness == freshness), None)
    if freshness == "fresh" or old is None:
        return
    said = _said(old)
    text = f"counts are stale: the kernel changed since {said}" if freshness == "stale" else _maybe(said)
    yield Finding(report.kernel.name_place, text)


def _maybe(said: str) -> str:
    return f"counts may be stale: the file was saved after {said}"


def _said(counted: Counted) -> str:
    name = Path(counted.usage.path).name
    short = name if len(name) <= 24 else f"{name[:23]}…"
    when = f" ({datetime.fromtimestamp(counted.usage.mtime):%Y-%m-%d %H:%M})" if counted.usage.mtime else ""
    return short + when


RULE = Rule("OCC305", "hint", "the compiler's counts are older than the text", check=_check, needs_counts=True)
