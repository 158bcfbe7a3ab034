"""OCC106: registers are spilled in a kernel whose bounds cap them."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.ceilings import ceiling
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import drop_min_groups, numbers, set_min_groups, waves
from occupancy_lsp.rules.finding import Finding, Fix
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.kernels.setmaxnreg import hands_registers
from occupancy_lsp.source.text.values import Place
from occupancy_lsp.vendors.registry import vendor_of


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return _worst(report) is not None


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    usage, place, body = _worst(report), _cap(report), report.kernel.body
    if usage is None or place is None or hands_registers(view.source.item_text(body.item), body):
        return
    most = ceiling(report.arch, report.kernel, report.language, report.options).registers
    text = f"spills {_spilled(usage)} per thread: the bounds cap registers at {most}"
    yield Finding(place, text, fixes=tuple(_fixes(report, most)))


def _worst(report: KernelReport) -> Usage | None:
    """The fresh count of this very architecture that spills most, with all the registers that the bounds allow."""
    arch, vendor = report.arch, vendor_of(report.arch)
    most = ceiling(arch, report.kernel, report.language, report.options).registers
    capped = most < arch.max_registers
    fresh = [it.usage for it in report.counted if it.freshness == "fresh" and it.usage.source != "declared"]
    full = [it for it in fresh if capped and it.arch and _amount(it) and vendor.is_full(arch, it, most)]
    return max(full, key=_amount, default=None)


def _amount(usage: Usage) -> int:
    return (usage.spill_stores or 0) + (usage.spill_loads or 0) + (usage.spilled_registers or 0)


def _cap(report: KernelReport) -> Place | None:
    """What caps the registers: not what a compiler does without being told."""
    kernel, bounds = report.kernel, report.kernel.bounds
    given = kernel.max_registers or next(vendor_of(report.arch).annotations(kernel), None)
    if given is not None:
        return given.place
    if bounds is None:
        return kernel.block[0] if kernel.block else None
    found = numbers(report) or waves(report)
    heeded = found is not None and report.arch.min_groups_honoured(*found[1:])
    return bounds.min_groups.place if heeded and bounds.min_groups else bounds.place


def _spilled(usage: Usage) -> str:
    if usage.spilled_registers:
        return f"{usage.spilled_registers} vector register" + "s" * (usage.spilled_registers > 1)
    return f"{usage.spill_stores or 0} B stored, {usage.spill_loads or 0} B loaded"


def _fixes(report: KernelReport, most: int) -> Iterator[Fix]:
    """Whether the compiler would still spill is not known."""
    found, arch = numbers(report) or waves(report), report.arch
    if found is None or report.kernel.max_registers is not None or not arch.min_groups_honoured(*found[1:]):
        return
    bounds, threads, wanted = found
    fewer = [it for it in range(1, wanted) if arch.min_groups_honoured(threads, it)]
    roomier = [it for it in fewer if arch.register_ceiling(threads, it) > most]
    if roomier:
        yield set_min_groups(report, bounds, threads, wanted, roomier[-1], "asks for less")
    if arch.register_ceiling(threads) > most:
        yield drop_min_groups(report, bounds, threads, wanted)


RULE = Rule(
    "OCC106",
    "warning",
    "registers are spilled in a kernel whose bounds cap them",
    check_view=_check,
    concerns=_concerns,
    advice=True,
    hides_in_kernel=("OCC301",),
    needs_counts=True,
)
