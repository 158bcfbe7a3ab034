"""What a hover says of tensor memory: a block that finds too little of it waits, so it limits no residency."""

from __future__ import annotations

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.features.prose import Code, Line
from occupancy_lsp.session.view import View
from occupancy_lsp.vendors.registry import vendor_of


def tensor_memory(view: View, report: KernelReport) -> Line:
    """Nothing where the code shows no number, or the architecture has no tensor memory."""
    there = vendor_of(report.arch).tensor_columns(report.arch)
    asked = view.source.tensor_columns(report.kernel) if there is not None else None
    if there is None or asked is None or not 0 < asked <= there:
        return ()
    words, together = report.device.nouns, there // asked
    have = f"one {words.group} has" if together == 1 else f"{together} {words.groups} have"
    text = f" takes {asked} of the {words.unit}'s {there} columns of tensor memory: {have} them at a time, others wait."
    return Code("tcgen05.alloc"), text
