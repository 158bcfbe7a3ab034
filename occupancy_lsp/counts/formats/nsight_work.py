"""The operations, bytes and time of a launch in a report of Nsight Compute, as its own roofline reckons them.

Counts (`….sum`) or rates (`….sum.per_cycle_elapsed`, `….per_second`, of `--set roofline` and `full`); operations are
those of the ordinary units, an addition or multiplication one, a fused one two. Matrix units are not among them.
Sources: Nsight Compute's section files SpeedOfLight_RooflineChart. A number with three decimals may be one with a
thousands separator of another country: nothing is said then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.usage import Work

Figures = Mapping[str, tuple[str, str]]  # value and unit by metric

_LETTERS = {"fp32": "f", "fp64": "d", "fp16": "h"}
_WEIGHTS = {"add": 1, "mul": 1, "fma": 2}
_OPERATION = "smsp__sass_thread_inst_executed_op_{}{}_pred_on.sum"
_PER_CYCLE, _CYCLES = ".per_cycle_elapsed", "smsp__cycles_elapsed.avg.per_second"
_TIMES = ("gpu__time_duration.sum", "Duration")
_BYTES, _BYTES_PER_SECOND = "dram__bytes.sum", "dram__bytes.sum.per_second"
_HALVES = ("dram__bytes_read.sum", "dram__bytes_write.sum")
_OPERATIONS = tuple(_OPERATION.format(letter, kind) for letter in _LETTERS.values() for kind in _WEIGHTS)

METRICS = frozenset(
    (*_OPERATIONS, *(name + _PER_CYCLE for name in _OPERATIONS), _CYCLES, *_TIMES, _BYTES, _BYTES_PER_SECOND, *_HALVES)
)

_NUMBER = regex(r"(?:\d{1,3}(?:,\d{3})+|\d{1,18})(\.\d{1,15})?", re.ASCII)
_UNIT = regex(r"([kKMGT]?)(?:inst|byte|cycle|[hH]z)(?:/([num]?)(?:second|s|cycle))?", re.ASCII)
_TIME = regex(r"([num]?)(?:second|s)", re.ASCII)
_POWERS = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "m": 1e-3, "u": 1e-6, "n": 1e-9}


def work(figures: Figures) -> tuple[Work, ...]:
    """Of each precision in which the launch had operations; nothing where its bytes are not told, or none moved."""
    return tuple(_work(figures))


def _work(figures: Figures) -> Iterator[Work]:
    seconds = next((found for name in _TIMES if (found := _figure(figures, name, _TIME)) is not None), None)
    moved = _bytes(figures, seconds)
    for precision, letter in _LETTERS.items():
        operations = _operations(figures, letter, seconds)
        if operations and moved:
            yield Work(precision, operations, moved, seconds)


def _operations(figures: Figures, letter: str, seconds: float | None) -> float | None:
    names = {_OPERATION.format(letter, kind): weight for kind, weight in _WEIGHTS.items()}
    counts = [(_figure(figures, name), weight) for name, weight in names.items()]
    if None not in [count for count, _ in counts]:
        return sum((count or 0) * weight for count, weight in counts)
    rates = [(_figure(figures, name + _PER_CYCLE), weight) for name, weight in names.items()]
    cycles = _figure(figures, _CYCLES)
    if cycles is None or seconds is None or None in [rate for rate, _ in rates]:
        return None
    return sum((rate or 0) * weight for rate, weight in rates) * cycles * seconds


def _bytes(figures: Figures, seconds: float | None) -> float | None:
    whole = _figure(figures, _BYTES)
    halves = [_figure(figures, name) for name in _HALVES]
    if whole is None and None not in halves:
        whole = sum(half or 0 for half in halves)
    if whole is None and seconds is not None and (rate := _figure(figures, _BYTES_PER_SECOND)) is not None:
        whole = rate * seconds
    return whole


def _figure(figures: Figures, name: str, units: re.Pattern[str] = _UNIT) -> float | None:
    """In units without prefix."""
    value, unit = figures.get(name, ("", ""))
    number, scale = _NUMBER.fullmatch(value), units.fullmatch(unit)
    if number is None or scale is None or (number[1] and len(number[1]) == 4):
        return None
    below = scale[2] if units is _UNIT else None
    return float(value.replace(",", "")) * _POWERS[scale[1]] / _POWERS[below or ""]
