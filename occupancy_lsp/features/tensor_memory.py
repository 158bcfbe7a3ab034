"""What a hover says of tensor memory: a block that finds too little of it is resident, and waits until some is free."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.features.prose import Code, Line
from occupancy_lsp.vendors.registry import vendor_of


def tensor_memory(report: KernelReport, figure: Figure | None) -> Line:
    """Nothing where no number is known, or the architecture has no tensor memory."""
    there, (least, most) = vendor_of(report.arch).tensor_columns(report.arch), report.built.tensor_columns
    if there is None or not 0 < most <= there:
        return ()
    words, together = report.device.nouns, there // most
    have = f"one {words.group} has" if together == 1 else f"{together} {words.groups} have"
    of = f"of the {words.unit}'s {there} columns of tensor memory"
    if 0 < least < most == there:
        alone = f"one that takes all, or keeps the permit to allocate, is the {words.unit}'s only {words.group}"
        return Code("tcgen05.alloc"), f" takes {least} or more {of}: {alone}", *_permit()
    if least != most:
        takes = f"takes {least} to {most} {of}" if least else f"may take up to {most} {of}, or not run"
        return Code("tcgen05.alloc"), f" {takes}: with {most}, {have} them at a time, others wait."
    text = f" takes {most} {of}: {have} them at a time"
    return Code("tcgen05.alloc"), f"{text}{_waiting(report, figure)}."


def _permit() -> Line:
    return " (it gives it up by ", Code("tcgen05.relinquish_alloc_permit"), ")."


def _waiting(report: KernelReport, figure: Figure | None) -> str:
    """Those that CUDA's own figure has beyond them."""
    if figure is None or "tensor_memory" not in figure.highest.limiters:
        return ", others wait"
    resident = report.arch.occupancy(replace(figure.least, tensor_columns=0)).groups
    if resident <= figure.highest.groups:
        return ", others wait"
    words = report.device.nouns
    return (
        f". Up to {resident} can be resident, which is what CUDA's occupancy functions tell, since they know nothing of"
        f" tensor memory; the other {words.groups} wait until columns are free"
    )
