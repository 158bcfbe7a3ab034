"""What was compared, per construct."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from .batch import Compared


@dataclass
class Row:
    programs: int = 0
    failed: int = 0
    compared: int = 0
    stated: int = 0
    wrong: int = 0

    def add(self, it: Row) -> None:
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(it, name))


@dataclass
class Table:
    rows: dict[str, Row] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)  # of wrong figures
    open: Counter[str] = field(default_factory=Counter)  # figures that are not stated

    def take(self, done: Iterable[Compared]) -> None:
        for it in done:
            row = self.rows.setdefault(it.program.construct, Row())
            if it.truth.failed:
                row.failed += 1
                continue
            figures = [one for one in it.figures if one.what != "registers"]
            wrong = [one for one in it.figures if one.wrong]
            stated = sum(one.stated for one in figures)
            row.add(Row(1, 0, len(figures), stated, len(wrong)))
            self.kinds.update(one.what for one in wrong)
            self.open.update(one.what for one in figures if not one.stated)

    @property
    def total(self) -> Row:
        total = Row()
        for row in self.rows.values():
            total.add(row)
        return total

    def lines(self) -> list[str]:
        named = [*sorted(self.rows.items()), ("**all**", self.total)]
        lines = ["| construct | programs | figures | stated | wrong | not compiled |", "|---|---|---|---|---|---|"]
        for name, it in named:
            stated = share(it.stated, it.compared)
            lines.append(f"| {name} | {it.programs:,} | {it.compared:,} | {stated} | {it.wrong} | {it.failed} |")
        return lines


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"
