"""OCC106: registers are spilled in a kernel whose bounds cap them."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.ceilings import ceiling
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import (
    add_min_groups,
    ask_for_one,
    drop_min_groups,
    lower_threads,
    numbers,
    set_min_groups,
    threads_alone,
    waves,
)
from occupancy_lsp.rules.finding import Finding, Fix
from occupancy_lsp.rules.proof import most_launched
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.kernels.setmaxnreg import may_reallocate_registers
from occupancy_lsp.source.syntax.known_value import Place
from occupancy_lsp.vendors.registry import vendor_of


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return _worst(report) is not None


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    usage, place, body = _worst(report), _cap(report), view.source.body_of(report.kernel)
    if usage is None or place is None or may_reallocate_registers(view.source.item_text(body.item), body):
        return
    most = ceiling(report.arch, report.kernel, report.language, report.options).registers
    lower = tuple(_to_launches(report, most))
    if _is_held(report, usage):
        held = f"spills {_stored(usage)} at {usage.registers} of {most} registers"
        text = f"{held}: without minBlocks ptxas makes room for several blocks"
        yield Finding(place, text, fixes=(*_for_held(report), *lower))
    else:
        words = report.device.nouns
        text = f"spills {_spilled(usage, words)} per thread: the bounds cap {words.registers} at {most}"
        yield Finding(place, text, fixes=(*lower, *_fixes(report, most)))


def _worst(report: KernelReport) -> Usage | None:
    """The fresh count of this very architecture that spills most, with all the registers that the bounds allow, or held
    below them."""
    arch, vendor = report.arch, vendor_of(report.arch)
    most = ceiling(arch, report.kernel, report.language, report.options).registers
    capped = most < arch.max_registers
    fresh = [it.usage for it in report.counted if it.freshness == "fresh" and it.usage.source != "declared"]
    spilling = [it for it in fresh if it.arch and _amount(it)]
    found = [it for it in spilling if (capped and vendor.is_full(arch, it, most)) or _is_held(report, it)]
    return max(found, key=_amount, default=None)


def _is_held(report: KernelReport, usage: Usage) -> bool:
    """Whether the bounds name threads alone, and the kernel has just what several blocks on an SM leave it.

    So ptxas builds what needs more registers than one block may have (docs/bounds.md).
    """
    arch, found = report.arch, threads_alone(report)
    if found is None or report.kernel.attributes.max_registers is not None or report.options.relocatable:
        return False
    _, threads = found
    most = min(arch.max_groups, arch.max_sub_groups // -(-threads // arch.sub_group_size))
    left = {arch.register_ceiling(threads, groups) for groups in range(2, most + 1)}
    return usage.registers in left - {arch.register_ceiling(threads)}


def _for_held(report: KernelReport) -> Iterator[Fix]:
    found = threads_alone(report)
    if found is not None and found[0].max_cluster is None:
        yield add_min_groups(report, *found, 1)


def _amount(usage: Usage) -> int:
    return (usage.spill_stores or 0) + (usage.spill_loads or 0) + (usage.spilled_registers or 0)


def _cap(report: KernelReport) -> Place | None:
    """What caps the registers: not what a compiler does without being told."""
    kernel, bounds = report.kernel, report.kernel.attributes.bounds
    given = kernel.attributes.max_registers or next(vendor_of(report.arch).annotations(kernel), None)
    if given is not None:
        return given.place
    if bounds is None:
        return kernel.attributes.block[0] if kernel.attributes.block else None
    found = numbers(report) or waves(report)
    heeded = found is not None and report.arch.min_groups_honoured(*found[1:])
    return bounds.min_groups.place if heeded and bounds.min_groups else bounds.place


def _to_launches(report: KernelReport, most: int) -> Iterator[Fix]:
    """Bounds for as many threads as are launched, where they name more."""
    kernel, bounds, launched = report.kernel, report.kernel.attributes.bounds, most_launched(report)
    threads = bounds.max_threads.value.number if bounds else None
    if bounds is None or not threads or not launched or launched >= threads:
        return
    overridden = (
        kernel.attributes.max_registers
        or kernel.attributes.block
        or next(vendor_of(report.arch).annotations(kernel), None)
    )
    several = bounds.min_groups is not None and bounds.min_groups.value.number != 1
    if not (overridden or several or bounds.max_cluster) and report.arch.register_ceiling(launched) > most:
        yield lower_threads(report, bounds, threads, launched)


def _spilled(usage: Usage, words: Nouns) -> str:
    if usage.spilled_registers:
        return f"{usage.spilled_registers} {words.registers_of(usage.spilled_registers)}"
    return f"{_stored(usage)} stored, {usage.spill_loads or 0} B loaded"


def _stored(usage: Usage) -> str:
    return f"{usage.spill_stores or 0} B"


def _fixes(report: KernelReport, most: int) -> Iterator[Fix]:
    """Whether the compiler would still spill is not known."""
    found, arch = numbers(report) or waves(report), report.arch
    if found is None or report.kernel.attributes.max_registers is not None or not arch.min_groups_honoured(*found[1:]):
        return
    bounds, threads, wanted = found
    fewer = [it for it in range(1, wanted) if arch.min_groups_honoured(threads, it)]
    roomier = [it for it in fewer if arch.register_ceiling(threads, it) > most]
    if roomier:
        yield set_min_groups(report, bounds, threads, wanted, roomier[-1], "asks for less")
    if numbers(report):  # without the number ptxas may give the kernel fewer than it has now, and spill more
        yield from [ask_for_one(report, bounds, threads, wanted)] if 1 in roomier[:-1] else []
    elif arch.register_ceiling(threads) > most:
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
