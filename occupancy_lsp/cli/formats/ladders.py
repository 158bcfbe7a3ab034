"""What other bounds make of kernels, for people and for programs."""

from __future__ import annotations

from dataclasses import asdict

from occupancy_lsp.cli.formats.usages import counts_json
from occupancy_lsp.core.table import aligned
from occupancy_lsp.edits.ladder.rows import Ladder, improves, preferred, rungs
from occupancy_lsp.features.ladder import table
from occupancy_lsp.session.trials import Trial


def as_text(shown: str, ladder: Ladder, of: Trial) -> list[str]:
    """A table, the best row marked, and what failed."""
    device = of.report.device
    found = rungs(of.report, ladder)
    best = preferred(found)
    head, *steps = table(found)
    rows = [(" ", *head), *((">" if it is best else " ", *cells) for it, cells in zip(found, steps, strict=True))]
    failed = [f"    {it.why}" for it in ladder.rows if it.why]
    headline = f"{shown}: {ladder.kernel} on {device.name} ({device.arch.id})"
    return [headline, *(f"  {it}" for it in aligned(rows)), *failed]


def as_json(shown: str, ladder: Ladder, of: Trial) -> dict[str, object]:
    found = rungs(of.report, ladder)
    best, now = preferred(found), found[0]
    steps = [
        {
            "head": asdict(it.row.head),
            "size": it.row.step.size or None,
            "ceiling": it.row.step.ceiling,
            "registers": {"lowest": it.report.registers.lowest, "highest": it.report.registers.highest},
            "percent": {"lowest": it.report.figure.lowest.percent, "highest": it.report.figure.highest.percent}
            if it.report.figure
            else None,
            "spills": asdict(it.row.spills) if it.row.spills else None,
            "improves": it is not now and improves(now, it),
            "preferred": it is best,
            "counts": [counts_json(usage) for usage in it.row.usages],
        }
        for it in found
    ]
    return {"file": shown, "kernel": ladder.kernel, "device": of.report.device.id, "steps": steps}
