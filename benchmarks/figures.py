"""Figures as they are printed: a table per question, and what was hoped for beside what was seen."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """A target and what was measured against it; nothing fails where it is missed."""

    what: str
    limit: str
    seen: str
    met: bool

    def __str__(self) -> str:
        return f"  target: {self.what} {self.limit}: {self.seen}  {'met' if self.met else 'MISSED'}"


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    verdicts: tuple[Verdict, ...] = ()

    def __str__(self) -> str:
        lines = [(self.title, *self.columns), *((f"  {row[0]}", *row[1:]) for row in self.rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        drawn = ["  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]) for line in lines]
        return "\n".join([*drawn, *map(str, self.verdicts)])


def at_most(what: str, seen: float, limit: float, unit: str) -> Verdict:
    return Verdict(what, f"≤ {limit:g}{unit}", f"{seen:.2f}{unit}", seen <= limit)


def at_least(what: str, seen: float, limit: float, unit: str) -> Verdict:
    return Verdict(what, f"≥ {limit:g}{unit}", f"{seen:.1f}{unit}", seen >= limit)


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the rounds' ratios: what slows the machine for one round slows both."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def ms(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms" if seconds < 0.1 else f"{seconds * 1e3:.0f} ms"


def mib(size: float) -> str:
    return f"{size / 2**20:.1f} MiB"
