"""What a compiler's count says of the kernel beyond its registers: how it was built, and what did not fit."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.wording import bytes_text
from occupancy_lsp.counts.usage import Usage


def compiled(report: KernelReport) -> str:
    """One sentence; nothing where no count says more, or where several instances do."""
    usages = [it.usage for it in report.counted if it.usage.source != "declared"]
    said = list(_said(usages[0])) if len(usages) == 1 else []
    return f"Built with {', '.join(said)}." if said else ""


def _said(usage: Usage) -> Iterator[str]:
    if usage.accumulators:
        yield f"{usage.accumulators} AGPRs"
    if usage.scalars:
        yield f"{usage.scalars} SGPRs"
    if usage.grf:
        yield f"{usage.grf} registers per hardware thread"
    if usage.sub_group and usage.sub_group != 32:
        yield f"sub-groups of {usage.sub_group}"
    if usage.mode:
        yield f"{usage.mode.upper()} mode"
    if usage.barriers:
        yield f"{usage.barriers} barrier{'s' * (usage.barriers > 1)}"
    if usage.stack:
        yield f"{bytes_text(usage.stack)} of stack per thread"


def spilled(report: KernelReport) -> str:
    """What did not fit into registers, of all instances that were counted."""
    usages = [it.usage for it in report.counted] if report.registers.spills is not None else []
    said = [text for it in usages if (text := _amount(it))]
    if not said:
        return ""
    each = "" if len(usages) == 1 else f", in {len(said)} of {len(usages)} instances"
    worst = _amount(max(usages, key=_stored))
    most = "" if len(set(said)) == 1 else "at most "
    return f"Registers are spilled: {most}{worst}{each}."


def _stored(usage: Usage) -> int:
    return usage.spill_stores or usage.spilled_registers or usage.spill_size or 0


def _amount(usage: Usage) -> str:
    if usage.spilled_registers or usage.spilled_scalars:
        return f"{usage.spilled_registers or 0} VGPRs and {usage.spilled_scalars or 0} SGPRs"
    if usage.spill_size:
        return f"{bytes_text(usage.spill_size)} per hardware thread"
    if usage.spill_stores or usage.spill_loads:
        return (
            f"{bytes_text(usage.spill_stores or 0)} stored and {bytes_text(usage.spill_loads or 0)} loaded per thread"
        )
    return ""
