"""OCC302: without bounds AMD's compiler builds for groups of 1024 threads, and the registers press against that cap."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import add_bounds
from occupancy_lsp.rules.finding import Finding, Note
from occupancy_lsp.rules.proof import launched, register_count
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.amd.bounds import register_ceiling
from occupancy_lsp.vendors.amd.promotion import DEFAULT_THREADS
from occupancy_lsp.vendors.amd.registers import vector_allocation, vector_registers

_ASSUMED = DEFAULT_THREADS["hip"]


def _check(report: KernelReport) -> Iterator[Finding]:
    arch, threads = report.arch, _most_launched(report)
    if not isinstance(arch, AmdArch) or threads is None or len(report.built.variants) != 1:
        return
    used, variant = _compiled(report, arch), report.built.variants[0]
    cap, more = (register_ceiling(arch, it, None, variant.sub_group, variant.mode) for it in (_ASSUMED, threads))
    if used is None or more <= cap or not _presses(arch, variant.sub_group, used, cap):
        return
    spilled = max((it.usage.spilled_registers or 0 for it in report.counted), default=0)
    spills = f", {spilled} spilled" if spilled else ""
    text = f"no bounds: built for {_ASSUMED} threads, ≤ {cap} registers ({used} used{spills}); {threads} allow {more}"
    yield Finding(report.kernel.name_place, text, _notes(report), add_bounds(report, threads, cap, more))


def _presses(arch: AmdArch, wave: int | None, used: int, cap: int) -> bool:
    """Whether the registers come to the cap, as they are allocated. What is above it was built for other sizes; what
    spills below it has another reason."""
    return used <= cap <= vector_allocation(arch, wave or arch.sub_group_size, used)


def _most_launched(report: KernelReport) -> int | None:
    """Threads of the largest launch, where nothing says for what to build and all launches in sight are known."""
    kernel, sizes = report.kernel, report.size.sizes
    if report.options.max_threads not in (None, _ASSUMED):
        return None
    if report.language != "hip" or kernel.bounds or kernel.block or kernel.flat_size or kernel.waves:
        return None
    surely = sizes and not report.size.bounded and len(launched(report)) == len(report.launches)
    return sizes[-1] if surely and sizes[-1] < _ASSUMED else None


def _compiled(report: KernelReport, arch: AmdArch) -> int | None:
    """Registers by a fresh count of a compiler that was told of no other size; what a person states proves no cap."""
    told = {it.usage.max_group_size for it in report.counted} - {None, _ASSUMED}
    if told or report.figure is None or report.registers.source == "declared" or register_count(report) is None:
        return None
    return vector_registers(arch, report.figure.least)


def _notes(report: KernelReport) -> tuple[Note, ...]:
    known = [(launch.block[0], launch.size.number) for launch in launched(report)]
    return tuple(Note(place, f"launched with {size} threads") for place, size in known)


RULE = Rule(
    "OCC302",
    "hint",
    "compiled for 1024 threads, which caps the registers",
    check=_check,
    advice=True,
    needs_counts=True,
)
