"""What a hover says of the local memory that loops load ahead into, where no compiler has said it."""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.analysis.pipelines import WIDTH, pipelined_bytes
from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.calculator.fill import unit_word
from occupancy_lsp.core.wording import bytes_text, percent_text
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch


def pipelines(report: KernelReport, launches: Sequence[KernelLaunch], estimated: Figure | None) -> str:
    """Nothing where no such loop is known. `estimated`: the figure with what the loops take."""
    found = {it for launch in launches if (it := pipelined_bytes(launch, report.device)) is not None}
    if not found:
        return ""
    least, most = bytes_text(min(found)), bytes_text(max(found))
    amount = f"~{most}" if least == most else f"~{least} to ~{most}"
    return (
        f"Estimate: with {8 * WIDTH}-bit operands, loaded contiguously and aligned, the loop uses {amount} of"
        f" {report.device.nouns.local_memory}{_room(report, estimated)}. Other loads take less,"
        f" {16 * WIDTH}-bit operands twice as much."
    )


def _room(report: KernelReport, estimated: Figure | None) -> str:
    if estimated is None:
        return ""
    best, words = estimated.highest, report.device.nouns
    if best.fault is not None:
        return f"; a {words.group} may have {bytes_text(best.fault.allows)}"
    if "local_memory" not in best.limiters:
        return ""
    groups = f"{best.groups} {words.group if best.groups == 1 else words.groups}/{unit_word(best, words)}"
    return f": room for at most {groups}, {percent_text(best.percent)}"
