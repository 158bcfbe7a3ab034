"""One launch in several instances of what is around it, as if it were of one kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from occupancy_lsp.analysis.inputs import Local, all_spills
from occupancy_lsp.analysis.report import KernelReport, LaunchReport, all_estimated, union
from occupancy_lsp.source.syntax.known_value import Place


def by_place(report: KernelReport) -> dict[Place, list[int]]:
    """The kernel's launches by where they stand: one in a template is there once for each instance."""
    found: dict[Place, list[int]] = {}
    for order, it in enumerate(report.launches):
        found.setdefault(it.launch.place, []).append(order)
    return found


def launch_at(report: KernelReport, order: int) -> LaunchReport:
    """All instances of the launch that is the `order`-th, as one. IndexError: there is none."""
    orders = by_place(report)[report.launches[order].launch.place]
    return together([report.launches[it] for it in orders])


def together(launches: Sequence[LaunchReport]) -> LaunchReport:
    """Of one launch in all instances of the function around it, at least one, as if it were of one kernel.

    Without those that fail, if others do not, as a kernel's figure is.
    """
    first = launches[0]
    if len(launches) == 1:
        return first
    if any(it.figure is None for it in launches):
        return replace(first, figure=None, differs=True)
    launches = [it for it in launches if it.figure and it.figure.highest.fault is None] or launches
    figures = [it.figure for it in launches if it.figure is not None]
    counts = [it.registers for it in launches]
    worst = max(counts, key=lambda it: ("fresh", "maybe", "stale").index(it.freshness))
    lows = [it.lowest for it in counts if it.lowest is not None]
    registers = replace(
        worst,
        lowest=min(lows) if len(lows) == len(counts) else None,
        highest=max(it.highest for it in counts),
        capped=all(it.capped for it in counts),
        spills=all_spills([it.spills for it in counts]),
    )
    sizes = tuple(sorted({size for it in launches for size in it.size.sizes}))
    bounded = any(it.size.bounded for it in launches)
    open_one = next((it.size for it in launches if it.size.exact is None), first.size)
    size = replace(open_one, sizes=sizes[-1:] if bounded else sizes, bounded=bounded)
    differs = any(it.differs for it in launches)
    memory = _spanned([it.local for it in launches])
    estimate = all_estimated(launches)
    return LaunchReport(first.launch, size, registers, memory, first.built, union(figures), differs, estimate)


def _spanned(memories: Sequence[Local]) -> Local:
    static = min(it.static[0] for it in memories), max(it.static[1] for it in memories)
    dynamic = min(it.dynamic[0] for it in memories), max(it.dynamic[1] for it in memories)
    unseen = tuple(dict.fromkeys(name for it in memories for name in it.unseen))
    telling = next((it for it in memories if it.reason or it.dynamic_reason), memories[0])
    return replace(telling, static=static, dynamic=dynamic, unseen=unseen)
