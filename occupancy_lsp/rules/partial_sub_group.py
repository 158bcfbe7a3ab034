"""OCC303: the last sub-group of each work-group, or its only one, is partly used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import sizes
from occupancy_lsp.source.syntax.known_value import Place


def _check(report: KernelReport) -> Iterator[Finding]:
    word = report.device.nouns.sub_group
    for size, place in _told_apart(report):
        widths = _widths(report, size)
        idle = {-size % width for width in widths}
        small = size < max(widths)
        if 0 in idle or size > report.arch.max_group_size or (small and _is_meant(report, size, max(widths))):
            continue
        lanes, least, most = min(idle), *(("at least ", "at most ") if len(idle) > 1 else ("", ""))
        used = f"{most}{percent_text(100 * size / (size + lanes))} of lanes used"
        which = f"their {word}" if small else f"the last {word}"
        idle_ones = f"{least}{lanes} lane{'s' if lanes > 1 else ''}"
        yield Finding(place, f"{size} threads leave {idle_ones} of {which} idle ({used})")


def _told_apart(report: KernelReport) -> Iterator[tuple[int, Place]]:
    """Each size with its place; none of several that one launch has, of which another may be the usual one."""
    at: dict[Place, set[int]] = {}
    for size, place in sizes(report):
        at.setdefault(place, set()).add(size)
    return ((size, place) for place, each in at.items() if len(each) == 1 for size in each)


def _widths(report: KernelReport, size: int) -> set[int]:
    """The sub-group sizes that may be."""
    arch, figure = report.arch, report.figure
    if arch.traits.varying_width and figure is not None:
        return {arch.width(replace(need, group_size=size)) for need in (figure.least, figure.most)}
    return {it.sub_group or arch.sub_group_size for it in report.built.variants}


def _is_meant(report: KernelReport, size: int, width: int) -> bool:
    """Nobody launches a single thread for its speed, nor all threads in less than a sub-group.

    Where larger groups are launched, too, the small ones do what is left.
    """
    alone = report.grid is not None and report.grid * size <= width
    return size == 1 or alone or report.size.exact != size


RULE = Rule("OCC303", "hint", "the work-group is not a multiple of the sub-group", check=_check, advice=True)
