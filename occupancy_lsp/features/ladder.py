"""What other bounds make of a kernel, in words: a table, and titles of the edits that write them."""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.analysis.inputs import Spills
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.wording import span_text
from occupancy_lsp.edits.ladder.heads import CAP, WAVES, WIDTH, Head
from occupancy_lsp.edits.ladder.rows import Rung

HEADINGS = ("bounds", "registers", "occupancy", "spills")


def head_text(head: Head) -> str:
    """`(256, 6)`; what else the head may ask for, as it is written there."""
    if head.width is not None:
        return f"{WIDTH}({head.width})"
    if head.waves is not None:
        return f"{WAVES}({head.waves})"
    if head.registers is not None:
        return f"{CAP}({head.registers})"
    if head.threads is None:
        return "none"
    return f"({head.threads})" if head.second is None else f"({head.threads}, {head.second})"


def step_text(rung: Rung) -> str:
    size = rung.row.step.size
    return f"{size} threads" if size else head_text(rung.row.head)


def cells(rung: Rung, now: bool) -> tuple[str, str, str, str]:
    """Of a table's row, as `HEADINGS` has them."""
    head = f"{step_text(rung)}, now" if now else step_text(rung)
    return head, registers_text(rung), percent_of(rung.report, bool(rung.row.usages)), spills_text(rung)


def registers_text(rung: Rung) -> str:
    count = rung.report.registers
    if not count.counted:
        widths = sorted({it.sub_group for it in rung.row.usages if it.sub_group})
        return f"SIMD{', '.join(map(str, widths))}" if widths else "any width"
    if not rung.row.usages:
        return f"at most {count.highest}"
    return str(count.highest) if count.exact is not None else f"{count.lowest}–{count.highest}"


def percent_of(report: KernelReport, counted: bool = True) -> str:
    figure = report.figure
    if figure is None:
        return "unknown"
    low, high = figure.lowest.percent, figure.highest.percent
    return span_text(low, high) if counted else f"≥{span_text(low, low)}"


def spills_text(rung: Rung) -> str:
    if not rung.row.usages:
        return "not compiled"
    return _amount(rung.row.spills)


def step_title(now: Rung, then: Rung) -> str:
    """Of the edit that writes the head: what was measured, or what holds whatever the compiler does."""
    head = then.row.head
    bounds = head.threads is not None and not then.row.step.size
    what = f"Bounds {head_text(head)}" if bounds else step_text(then)
    registers = then.report.device.nouns.registers
    was, becomes = percent_of(now.report, bool(now.row.usages)), percent_of(then.report, bool(then.row.usages))
    change = f"still {becomes}" if was == becomes else f"{was} → {becomes}"
    if not then.row.usages and then.report.registers.counted:
        return f"{what}: at most {then.report.registers.highest} {registers}, {change}; not compiled, may spill"
    if not then.report.registers.counted:
        return f"{what}: {registers_text(then)} (now {registers_text(now)}), {change}, {_spills(now, then)}"
    return f"{what}: {registers_text(then)} {registers} (now {registers_text(now)}), {change}, {_spills(now, then)}"


def _spills(now: Rung, then: Rung) -> str:
    if then.row.spills is None:
        return "spills not known"
    was, becomes = now.row.spilled, then.row.spilled
    before = f" (now {_amount(now.row.spills)})" if was or becomes else ""
    return f"spills {_amount(then.row.spills)}{before}" if becomes else f"no spills{before}"


def table(rungs: Sequence[Rung]) -> list[tuple[str, str, str, str]]:
    """With its headings; the first of `rungs` is the kernel as it stands."""
    return [HEADINGS, *(cells(it, it is rungs[0]) for it in rungs)]


def _amount(spills: Spills | None) -> str:
    if spills is None:
        return "unknown"
    return f"{spills.highest:,} {'registers' if spills.registers else 'B'}" if spills.highest else "none"
