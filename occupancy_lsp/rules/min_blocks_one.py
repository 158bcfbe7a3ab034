"""OCC304: a minBlocks of 1 is not the same as none, where registers keep further blocks out."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import drop_min_groups, numbers
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import UNIT, register_count


def _check(report: KernelReport) -> Iterator[Finding]:
    found, used = numbers(report), register_count(report)
    if report.options.relocatable:  # there it is the same as none
        return
    if found is None or found[2] != 1 or not report.arch.min_groups_honoured(*found[1:]):
        return
    bounds, threads, wanted = found
    figure = report.figure if not report.size.assumed else None
    if bounds.min_groups is None or used is None or figure is None or figure.highest.limiters != ("registers",):
        return
    cap = report.arch.register_ceiling(threads, wanted)
    if used > cap - UNIT:
        return  # it may need more than that: then ptxas gives it far fewer without the number
    effect = "leaves the number of registers to the compiler"
    yield Finding(
        bounds.min_groups.place,
        f"minBlocks 1 makes the compiler allocate registers for one block per SM (at most {cap}, {used} used)",
        fixes=(drop_min_groups(report, bounds, threads, wanted, effect),),
    )


RULE = Rule(
    "OCC304",
    "hint",
    "minBlocks 1 is not the same as omitting it",
    check=_check,
    advice=True,
    needs_counts=True,
)
