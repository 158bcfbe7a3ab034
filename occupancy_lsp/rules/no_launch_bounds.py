"""OCC302: without bounds AMD's compiler builds for groups of 1024 threads, and the registers press against that cap."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import add_bounds
from occupancy_lsp.rules.finding import Finding, Note
from occupancy_lsp.rules.proof import launched, most_launched, register_count
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.vendors.vendor import DefaultCap


def _check(report: KernelReport) -> Iterator[Finding]:
    assumed = vendor_of(report.arch).assumed.get(report.language)
    threads = _most_launched(report, assumed) if assumed is not None else None
    cap = _pressed(report, assumed, threads) if assumed is not None and threads is not None else None
    if cap is None:
        return
    spilled = max((it.usage.spilled_registers or 0 for it in report.counted), default=0)
    spills = f", {spilled} spilled" if spilled else ""
    counted = f"≤ {cap.ceiling} {report.device.nouns.registers} ({cap.used} used{spills})"
    built = f"no bounds: built for {assumed} threads, {counted}"
    fixes = add_bounds(report, threads or 0, cap.ceiling, cap.lifted)
    yield Finding(report.kernel.name_place, f"{built}; {threads} allow {cap.lifted}", _notes(report), fixes)


def _most_launched(report: KernelReport, assumed: int) -> int | None:
    """Threads of the largest launch, where nothing says for what to build and all launches in sight are known."""
    kernel, most = report.kernel, most_launched(report)
    if vendor_of(report.arch).built_for(report.language, report.options) != assumed:
        return None
    said = kernel.attributes.bounds or kernel.attributes.block or kernel.attributes.flat_size or kernel.attributes.waves
    if said or not LANGUAGES[report.language].launch_bounds:
        return None
    return most if most is not None and most < assumed else None


def _pressed(report: KernelReport, assumed: int, threads: int) -> DefaultCap | None:
    """By a fresh count of a compiler that was told of no other size; what a person states proves no cap."""
    told = {it.usage.max_group_size for it in report.counted} - {None, assumed}
    if told or report.figure is None or report.registers.source == "declared" or register_count(report) is None:
        return None
    if len(report.built.variants) != 1:
        return None
    need, variant = report.figure.least, report.built.variants[0]
    return vendor_of(report.arch).default_cap(report.arch, need, variant, report.language, threads)


def _notes(report: KernelReport) -> tuple[Note, ...]:
    known = [(launch.configuration.block[0], launch.size.number) for launch in launched(report)]
    return tuple(Note(place, f"launched with {size} threads") for place, size in known)


RULE = Rule(
    "OCC302",
    "hint",
    "compiled for 1024 threads, which caps the registers",
    check=_check,
    advice=True,
    needs_counts=True,
)
