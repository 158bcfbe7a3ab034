"""The text of an inlay hint: percent first, what limits last, at most 32 characters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from occupancy_lsp.analysis.inputs import Local
from occupancy_lsp.analysis.report import Figure, KernelReport, barriers_decide
from occupancy_lsp.core.wording import percent_text, span_text
from occupancy_lsp.model.cliffs import register_budget
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Fault, Occupancy

LONGEST = 32
_NO_LAUNCH = "no launch: "


def kernel_label(report: KernelReport) -> str | None:
    """None: nothing is known, or nothing worth a hint."""
    words = report.device.nouns
    if report.figure is None:
        return _sizes(report) if not report.intended else None
    if report.intended is not None and report.figure.highest.groups:
        groups = _span(report.figure.lowest.groups, report.figure.highest.groups)
        return f"{report.intended.groups or groups} {words.group_short} (intended)"
    sizes = len(report.size.sizes) if not report.size.bounded else 1
    return figure_label(report, report.figure, report.local, sizes)


def figure_label(report: KernelReport, figure: Figure, memory: Local, sizes: int) -> str:
    words = report.device.nouns
    tilde = "~" if figure.source == "estimated" else ""
    if figure.highest.fault is not None:
        return _NO_LAUNCH + _fault(figure.highest.fault, words)
    if report.registers.freshness != "fresh":
        return f"{tilde}{_range(figure)}? · stale"
    if sizes > 1:
        return f"{tilde}{_range(figure)} · {sizes} sizes"
    if report.clustered or (memory.unseen and not figure.exact):
        return tilde + _upper(report, figure, words)
    if figure.exact:
        return tilde + _exact(figure.highest, words)
    if _memory_open(memory):
        return f"{tilde}{_range(figure)} · {words.local_short}?"
    if report.built.open_width and report.registers.known and figure.lowest.sub_groups == figure.highest.sub_groups:
        groups = _span(figure.lowest.groups, figure.highest.groups)
        return f"{tilde}{_range(figure)} · {groups} {words.group_short}/{words.unit_short}"
    if report.built.open_width and report.registers.known:
        return f"{tilde}{_range(figure)} · SIMD?"
    if barriers_decide(report, figure):
        return (
            f"{tilde}{_range(figure)} · barriers?" if report.registers.known else tilde + _upper(report, figure, words)
        )
    if report.registers.lowest is not None:
        return f"{tilde}{_range(figure)} · {len(report.counted)} instances"
    if report.registers.capped and figure.lowest.groups:
        return f"{tilde}≥{percent_text(figure.lowest.percent)} · regs ≤{report.registers.highest}"
    return tilde + _budget(report, figure)


def matrix_label(cells: Sequence[tuple[Device, str]]) -> str | None:
    """`H100 50% · A100 38%`; None if it gets too long."""
    text = " · ".join(f"{device.id.upper().replace('-', ' ')} {label.split(' · ')[0]}" for device, label in cells)
    return text if len(text) <= LONGEST else None


def _exact(result: Occupancy, words: Nouns) -> str:
    text = f"{percent_text(result.percent)} · {result.groups} {words.group_short}/{words.unit_short}"
    if result.percent == 100:
        return text
    short = {
        "registers": "regs",
        "local_memory": words.local_short,
        "scalars": "SGPRs",
        "groups": words.groups,
        "sub_groups": words.sub_groups,
        "barriers": "barriers",  # named where they alone limit
    }
    limiter = next((short[name] for name in short if name in result.limiters), "")
    return f"{text} · {limiter}"


def _upper(report: KernelReport, figure: Figure, words: Nouns) -> str:
    """Functions out of sight may use local memory, clusters may find no room: only an upper bound is proved."""
    count = report.registers
    if not count.known and not count.capped:
        return "≤" + _budget(report, figure)
    if not count.known:
        return f"≤{percent_text(figure.highest.percent)} · regs ≤{count.highest}"
    return "≤" + _exact(figure.highest, words)


def _budget(report: KernelReport, figure: Figure) -> str:
    """The largest register count that keeps the best figure."""
    return f"{percent_text(figure.highest.percent)} to {register_budget(report.arch, figure.least)} regs"


def _memory_open(memory: Local) -> bool:
    return memory.static[0] != memory.static[1] or memory.dynamic[0] != memory.dynamic[1]


def _range(figure: Figure) -> str:
    return span_text(figure.lowest.percent, figure.highest.percent)


def _span(low: int, high: int) -> str:
    return str(high) if low == high else f"{low}–{high}"


def _fault(fault: Fault, words: Nouns) -> str:
    unit = {
        "group_size": "threads",
        "registers_per_thread": "regs/thread",
        "registers": "regs",
        "scalars": "SGPRs",
        "local_memory": f"B {words.local_short}",
        "barriers": "barriers",
    }[fault.resource]
    most = f">{fault.allows} {unit}"
    return f"{fault.needs}{most}" if len(_NO_LAUNCH) + len(str(fault.needs)) + len(most) <= LONGEST else most


def _sizes(report: KernelReport) -> str | None:
    """`100% at 64, 128`: every size that reaches the best value, or the first and last where they are many."""
    best = report.best
    if best is None:
        return None
    percent, sizes = span_text(best.lowest, best.highest), best.sizes
    steps = {b - a for a, b in pairwise(sizes)}
    text = f"{percent} at {', '.join(map(str, sizes))}"
    if len(sizes) > 2 and len(steps) == 1 and 32 in steps:
        text = f"{percent} at {sizes[0]}–{sizes[-1]}"
    elif len(text) > LONGEST:
        text = f"{percent} at {sizes[0]}, {sizes[1]} … {sizes[-1]}"
    asked = f"{text} · SIMD?" if report.built.open_width and best.lowest < best.highest else text
    return asked if len(asked) <= LONGEST else text
