"""OCC303: the last sub-group of each work-group is only partly used."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import sizes
from occupancy_lsp.wording import percent_text


def _check(report: KernelReport) -> Iterator[Finding]:
    """Less than one sub-group is meant so: nobody launches a single thread for its speed."""
    word = report.device.nouns.sub_group
    widths = {it.sub_group or report.arch.sub_group_size for it in report.built.variants}
    for size, place in sizes(report):
        idle = {-size % width for width in widths}
        if max(widths) < size <= report.arch.max_group_size and 0 not in idle:
            lanes, least, most = min(idle), *(("at least ", "at most ") if len(idle) > 1 else ("", ""))
            used = f"{most}{percent_text(100 * size / (size + lanes))} of lanes used"
            yield Finding(place, f"{size} threads leave {least}{lanes} lanes of the last {word} idle ({used})")


RULE = Rule("OCC303", "hint", "the work-group is not a multiple of the sub-group", True, _check)
