"""What an intended number of work-groups leaves each of them to use."""

from __future__ import annotations

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.calculator.fill import unit_word
from occupancy_lsp.core.wording import bytes_text
from occupancy_lsp.model.cliffs import largest_local, largest_with
from occupancy_lsp.model.occupancy import Need


def budget(report: KernelReport) -> str:
    """Registers and local memory, each beside any amount of the other; "" where no number of work-groups is known."""
    figure, meant, words = report.figure, report.intended, report.device.nouns
    if figure is None or meant is None:
        return ""
    groups = meant.groups or (figure.highest.groups if figure.exact else 0)
    if not 0 < groups <= figure.highest.groups:
        return ""
    alone = Need(figure.least.group_size, sub_group=figure.least.sub_group, mode=figure.least.mode)
    room = largest_local(report.arch, alone, groups)
    parts = [f"{bytes_text(room)} of {words.local_memory} per {words.group}"] if room else []
    if report.arch.traits.caps_registers:
        parts.insert(0, f"{largest_with(report.arch, alone, groups)} {words.registers} per thread")
    what = f"1 {words.group}" if groups == 1 else f"{groups} {words.groups}"
    return (
        f"Intended: {what} per {unit_word(figure.highest, words)}. Up to {' and '.join(parts)} keep it so."
        if parts
        else ""
    )
