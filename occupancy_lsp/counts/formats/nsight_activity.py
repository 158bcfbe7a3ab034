"""How many warps were resident in a launch, and what they waited for, in a report of Nsight Compute.

Metrics: NVIDIA's section files Occupancy and WarpStateStatistics; what each reason means: the Kernel Profiling Guide,
"Warp Stall Reasons". A reason's part is its cycles of those that pass between two instructions of a warp.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.usage import Activity

Figures = Mapping[str, tuple[str, str]]  # value and unit by metric

_ACHIEVED = ("Achieved Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active")
_BETWEEN = ("Warp Cycles Per Issued Instruction", "smsp__average_warp_latency_per_inst_issued.ratio")
_REASON = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
_WAITS = {
    "long_scoreboard": "global or local memory",
    "short_scoreboard": "shared memory or special functions",
    "barrier": "other warps at a barrier",
    "membar": "a memory fence",
    "lg_throttle": "room in the queue for global and local memory",
    "mio_throttle": "room in the queue for shared memory and special functions",
    "tex_throttle": "room in the queue for textures",
    "math_pipe_throttle": "a busy arithmetic unit",
    "gmma": "the tensor cores",
    "wait": "the fixed latency of instructions",
    "no_instruction": "instructions to be fetched",
    "imc_miss": "constant memory",
    "branch_resolving": "a branch",
    "dispatch_stall": "the dispatcher",
    "drain": "stores before the end",
    "sleeping": "the end of a sleep",
    "not_selected": "their turn, as others were ready",
}

METRICS = frozenset((*_ACHIEVED, *_BETWEEN, *map(_REASON.format, _WAITS)))

_NUMBER = regex(r"\d{1,6}(?:\.\d{1,15})?", re.ASCII)


def activity(figures: Figures) -> Activity | None:
    """Of one launch; None where its occupancy is not told."""
    achieved = _first(figures, _ACHIEVED)
    if achieved is None or achieved > 100:
        return None
    return Activity(1, (achieved, achieved), tuple(_waits(figures)))


def _waits(figures: Figures) -> Iterator[tuple[str, float]]:
    between = _first(figures, _BETWEEN)
    for reason, what in _WAITS.items():
        cycles = _first(figures, (_REASON.format(reason),))
        if between and cycles is not None and cycles <= between:
            yield what, cycles / between


def _first(figures: Figures, names: tuple[str, ...]) -> float | None:
    values = (figures[name][0] for name in names if name in figures)
    return next((float(it) for it in values if _NUMBER.fullmatch(it)), None)


def together(one: Activity | None, other: Activity | None) -> Activity | None:
    """Of all launches; None where one of them does not tell. A reason is kept if all of them tell it."""
    if one is None or other is None:
        return None
    launches = one.launches + other.launches
    first, second = dict(one.waits), dict(other.waits)
    waits = {it: (first[it] * one.launches + second[it] * other.launches) / launches for it in first if it in second}
    ends = (*one.achieved, *other.achieved)
    return Activity(launches, (min(ends), max(ends)), tuple(waits.items()))
