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
    width, word = report.arch.sub_group_size, report.device.nouns.sub_group
    for size, place in sizes(report):
        if width < size <= report.arch.max_group_size and size % width:
            lanes = -(-size // width) * width
            used = percent_text(100 * size / lanes)
            yield Finding(
                place, f"{size} threads leave {lanes - size} lanes of the last {word} idle ({used} of lanes used)"
            )


RULE = Rule("OCC303", "hint", "the work-group is not a multiple of the sub-group", True, _check)
