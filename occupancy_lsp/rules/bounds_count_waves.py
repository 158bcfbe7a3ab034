"""OCC103: HIP's second launch bound read as CUDA's blocks: on AMD it counts waves per SIMD."""

from __future__ import annotations

import re
from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import drop_min_groups, set_min_groups, waves
from occupancy_lsp.rules.finding import Finding, Fix
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.text.values import Place
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.amd.bounds import groups_of_waves, waves_honoured, waves_of_groups, waves_of_one_group
from occupancy_lsp.vendors.amd.compiler import as_compiled

_BLOCKS = re.compile(rb"(?i)block")
_WAVES = re.compile(rb"(?i)wave|warp|simd|eu(?![a-z])")


def _asked(report: KernelReport) -> tuple[AmdArch, Place, int, int] | None:
    """The device, where the second number stands, the most threads of a group, and the number."""
    found, arch = waves(report), report.arch
    if found is None or not isinstance(arch, AmdArch):
        return None
    bounds, threads, wanted = found
    place = bounds.min_groups.place if bounds.min_groups else bounds.place
    return (arch, place, threads, wanted) if threads <= arch.max_group_size else None


def _builds(arch: AmdArch) -> list[tuple[int, str]]:
    """Each wave size and mode: which one is built the source does not say."""
    return [(wave, mode) for wave in arch.sub_group_sizes for mode in arch.modes]


def _check(report: KernelReport) -> Iterator[Finding]:
    """A 1 that is ignored is no fault: one block is what there is at least."""
    asked = _asked(report)
    if asked is None or asked[3] == 1:
        return
    arch, place, threads, wanted = asked
    if any(waves_honoured(arch, threads, wanted, *it) for it in _builds(arch)):
        return
    slots, least = as_compiled(arch).waves_per_simd, waves_of_one_group(arch, threads)
    why = f"a SIMD holds {slots}" if wanted > slots else f"{threads} threads are {least} anyway"
    text = f"{wanted} is ignored on {arch.id}: it counts waves per SIMD, not blocks; {why}"
    yield Finding(place, text, fixes=tuple(_fixes(report, True)), unnecessary=True)


def _concerns(settings: Settings, report: KernelReport) -> bool:
    asked = _asked(report)
    if asked is None:
        return False
    arch, _, threads, wanted = asked
    return all(
        waves_honoured(arch, threads, wanted, *it) and groups_of_waves(arch, threads, wanted, *it) != wanted
        for it in _builds(arch)
    )


def _check_name(view: View, report: KernelReport) -> Iterator[Finding]:
    """Heeded, but called blocks. What its author means is not proved: no Warning."""
    asked = _asked(report)
    if asked is None:
        return
    arch, place, threads, wanted = asked
    name = view.source.item_text(place.item)[place.start : place.end]
    if _BLOCKS.search(name) and not _WAVES.search(name):
        groups = _groups(report, threads, groups_of_waves(arch, threads, wanted))
        text = f"{wanted} counts waves per SIMD on {arch.id}, not blocks: {groups}"
        yield Finding(place, text, fixes=tuple(_fixes(report, False)), severity="information")


def _groups(report: KernelReport, threads: int, groups: int) -> str:
    words = report.device.nouns
    return f"{groups} {words.group if groups == 1 else words.groups} of {threads} threads per {words.unit}"


def _fixes(report: KernelReport, ignored: bool) -> Iterator[Fix]:
    found, arch = waves(report), report.arch
    if found is None or not isinstance(arch, AmdArch):
        return
    bounds, threads, wanted = found
    if ignored:
        yield drop_min_groups(report, bounds, threads, wanted)
    converted = waves_of_groups(arch, threads, wanted)
    if waves_honoured(arch, threads, converted):
        effect = _groups(report, threads, wanted)
        yield set_min_groups(report, bounds, threads, wanted, converted, effect)


RULE = Rule(
    "OCC103",
    "warning",
    "the second launch bound counts waves per SIMD here, not blocks",
    check=_check,
    check_view=_check_name,
    concerns=_concerns,
)
