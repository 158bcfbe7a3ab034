"""Occupancy over a work-group's size, its registers and its local memory: charts, and tables that say the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from occupancy_lsp.calculator.calculate import names_of
from occupancy_lsp.calculator.fill import unit_word
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.wording import bytes_text, span_text
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.staircase import Step, by_group_size, by_local, by_registers

_BARS = " ▁▂▃▄▅▆▇█"
_MOST_BARS = 32
Row = tuple[str, str, str, str]  # amounts, work-groups, percent, what limits


@dataclass(frozen=True, slots=True)
class Chart:
    """Occupancy over one input, the others as they are.

    `best`: with the least that the work-group may need of the others. `sure`: with the most, where that is another.
    `now`: the least and the most of the input itself; None: not known.
    """

    over: str  # "group_size" | "registers" | "local"
    axis: str
    best: tuple[Step, ...]
    sure: tuple[Step, ...]
    now: tuple[int, int] | None
    words: Nouns

    def result_at(self, amount: int) -> Occupancy | None:
        return next((it.result for it in self.best if it.first <= amount <= it.last), None)

    def sure_at(self, amount: int) -> Occupancy | None:
        """None: it is a range there, or more than fits."""
        best = self.result_at(amount)
        least = next((it.result for it in self.sure if it.first <= amount <= it.last), None if self.sure else best)
        return best if least is not None and best is not None and least.percent == best.percent else None

    def amount(self, at: int) -> str:
        return bytes_text(at) if self.over == "local" else str(at)

    @property
    def head(self) -> Row:
        """Of the columns of `rows`."""
        unit = unit_word(self.best[0].result, self.words)
        return self.axis, f"{self.words.groups} per {unit}", "occupancy", "limited by"

    def rows(self) -> list[Row]:
        """The chart as a table: a row for each step."""
        return [self._row(it) for it in self.best]

    def rows_beside(self, other: Chart) -> list[tuple[str, ...]]:
        """`rows` with the occupancy on another device as the last column; a row wherever either changes."""
        edges = {it.first for it in other.best} | {other.best[-1].last + 1}
        return [(*self._row(it), other.between(it.first, it.last)) for step in self.best for it in _cut(step, edges)]

    def between(self, first: int, last: int) -> str:
        """The occupancy at these amounts; more than the last step has cannot launch."""
        found = [it.result for it in (*self.best, *self.sure) if it.first <= last and first <= it.last]
        if not any(it.groups for it in found):
            return "cannot launch"
        return span_text(min(it.percent for it in found), max(it.percent for it in found))

    def _row(self, step: Step) -> Row:
        result = step.result
        below = (it.result for it in self.sure if it.first <= step.last and step.first <= it.last)
        least = min(below, key=lambda it: it.sub_groups, default=result)
        amounts = dict.fromkeys((self.amount(step.first), self.amount(step.last)))
        groups = dict.fromkeys((str(least.groups), str(result.groups)))
        return (
            " to ".join(amounts),
            "–".join(groups),
            span_text(least.percent, result.percent),
            limits_text(result, self.words) if result.groups else "cannot launch",
        )


def _cut(step: Step, edges: Iterable[int]) -> Iterator[Step]:
    """In parts, of which each begins at an edge, but the first."""
    starts = [step.first, *sorted(it for it in edges if step.first < it <= step.last)]
    ends = [*(it - 1 for it in starts[1:]), step.last]
    return (replace(step, first=first, last=last) for first, last in zip(starts, ends, strict=True))


def limits_text(result: Occupancy, words: Nouns) -> str:
    return " and ".join(names_of(words)[name] for name in result.limiters)


def charts(arch: Architecture, least: Need, most: Need, largest: int | None = None) -> Iterator[Chart]:
    """Those of the inputs that a work-group's occupancy turns on; no chart of registers where they limit nothing. Each
    is computed when it is asked for.

    `most`: what it may need at most, where that is open. `largest`: threads of the largest group in question.
    """
    words = arch.nouns
    counts = None if least.registers is None or most.registers is None else (least.registers, most.registers)
    amounts = least.static_local + least.dynamic_local, most.static_local + most.dynamic_local

    def chart(over: str, axis: str, stairs: Callable[[Need], tuple[Step, ...]], now: tuple[int, int] | None) -> Chart:
        best = stairs(least)
        sure = stairs(most) if most != least else best
        return Chart(over, axis, best, () if sure == best else sure, now, words)

    sizes = partial(by_group_size, arch, most=largest)
    yield chart("group_size", f"threads per {words.group}", sizes, (least.group_size, most.group_size))
    if arch.traits.counts_registers:
        yield chart("registers", f"{words.registers} per thread", partial(by_registers, arch), counts)
    yield chart("local", f"{words.local_memory} per {words.group}", partial(by_local, arch), amounts)


def described(chart: Chart) -> str:
    """The chart in a sentence, for those who do not see it."""
    if chart.now is None:
        return f"Occupancy over {chart.axis}."
    low, high = chart.now
    at = chart.amount(low) if low == high else f"{chart.amount(low)} to {chart.amount(high)}"
    known = low == high and chart.result_at(low) is not None
    reached = f": {chart.between(low, low)} at {at}" if known else f", now {at}"
    return f"Occupancy over {chart.axis}{reached}."


def bars(chart: Chart) -> str:
    """The chart in a line of characters, for where no picture can be, today's point in brackets: `▂▄[█]▆▄`."""
    first, last = chart.best[0].first, chart.best[-1].last
    each = min(_MOST_BARS, len(chart.best)) if chart.over == "group_size" else _MOST_BARS
    ends = [first + (at + 1) * (last - first + 1) // each - 1 for at in range(each)]
    drawn = [_bar(chart.result_at(end)) for end in ends]
    if chart.now is not None and chart.now[0] == chart.now[1]:
        at = next((it for it, end in enumerate(ends) if chart.now[0] <= end), each - 1)
        drawn[at] = f"[{_bar(chart.result_at(chart.now[0]))}]"
    return "".join(drawn)


def _bar(result: Occupancy | None) -> str:
    """What runs at all shows."""
    if result is None or not result.groups:
        return _BARS[0]
    return _BARS[max(round(result.percent / 100 * (len(_BARS) - 1)), 1)]
