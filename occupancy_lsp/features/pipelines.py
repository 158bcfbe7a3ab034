"""What a hover says of the local memory that loops load ahead into, where no compiler has said it."""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.analysis.pipelines import WIDTH, pipelined_bytes
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.wording import bytes_text
from occupancy_lsp.source.kernels.launches import KernelLaunch


def pipelines(report: KernelReport, launches: Sequence[KernelLaunch]) -> str:
    """Nothing where no such loop is known."""
    found = {it for launch in launches if (it := pipelined_bytes(launch, report.device)) is not None}
    if not found:
        return ""
    least, most = bytes_text(min(found)), bytes_text(max(found))
    amount = f"~{most}" if least == most else f"~{least} to ~{most}"
    return (
        f"Estimate: the loop uses {amount} of {report.device.nouns.local_memory} with {8 * WIDTH}-bit operands if its"
        f" loads are contiguous and aligned, and less otherwise. {16 * WIDTH}-bit operands need twice as much."
    )
