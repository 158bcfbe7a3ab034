"""OCC103: HIP's second launch bound read as CUDA's blocks: on AMD it counts waves per SIMD."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.usage import COUNTED
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import drop_min_groups, set_min_groups, waves
from occupancy_lsp.rules.finding import Finding, Fix, short
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.syntax.known_value import Place
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.vendors.vendor import Waves

_BLOCKS = regex(rb"(?i)block")
_WAVES = regex(rb"(?i)wave|warp|simd|eu(?![a-z])")


@dataclass(frozen=True, slots=True)
class _Asked:
    """`place`: where the second number stands. `threads`: the most of a group."""

    place: Place
    threads: int
    wanted: int
    means: Waves


def _asked(report: KernelReport) -> _Asked | None:
    found, arch = waves(report), report.arch
    if found is None or found[1] > arch.max_group_size:
        return None
    bounds, threads, wanted = found
    means = vendor_of(arch).waves(arch, threads, wanted)
    place = bounds.min_groups.place if bounds.min_groups else bounds.place
    return _Asked(place, threads, wanted, means) if means is not None else None


def _check(report: KernelReport) -> Iterator[Finding]:
    """A 1 that is ignored is no fault: one block is what there is at least."""
    asked = _asked(report)
    if asked is None:
        yield from _in_an_instance(report)
    elif _is_ignored(asked):
        yield Finding(asked.place, _said(report, asked), fixes=tuple(_fixes(report, asked, True)), unnecessary=True)


def _in_an_instance(report: KernelReport) -> Iterator[Finding]:
    """Of a template whose instances have other bounds, the first where it is so. No edit is right for all."""
    for kernel in report.kernel.instances:
        asked = _asked(replace(report, kernel=kernel))
        if asked is not None and _is_ignored(asked):
            yield Finding(asked.place, short(f"<{kernel.arguments}>: {_said(report, asked)}"))
            return


def _is_ignored(asked: _Asked) -> bool:
    return asked.wanted != 1 and not asked.means.heeded


def _said(report: KernelReport, asked: _Asked) -> str:
    wanted, threads, means = asked.wanted, asked.threads, asked.means
    anyway = f"{threads} threads are {means.of_one_group} anyway"
    why = f"a SIMD holds {means.slots}" if wanted > means.slots else anyway
    return f"{wanted} is ignored on {report.arch.id}: it counts waves per SIMD, not blocks; {why}"


def _concerns(settings: Settings, report: KernelReport) -> bool:
    asked = _asked(report)
    return asked is not None and asked.means.other_groups


def _check_name(view: View, report: KernelReport) -> Iterator[Finding]:
    """Heeded, but called blocks. What its author means is not proved: no Warning."""
    asked = _asked(report)
    if asked is None:
        return
    place = asked.place
    name = view.source.item_text(place.item)[place.start : place.end]
    if _BLOCKS.search(name) and not _WAVES.search(name):
        groups = _groups(report, asked.threads, asked.means.groups)
        text = f"{asked.wanted} counts waves per SIMD on {report.arch.id}, not blocks: {groups}"
        yield Finding(place, text, fixes=tuple(_fixes(report, asked, False)), severity="information")


def _groups(report: KernelReport, threads: int, groups: int) -> str:
    words = report.device.nouns
    return f"{groups} {words.group if groups == 1 else words.groups} of {threads} threads per {words.unit}"


def _fixes(report: KernelReport, asked: _Asked, ignored: bool) -> Iterator[Fix]:
    bounds, threads, wanted = report.kernel.attributes.bounds, asked.threads, asked.wanted
    if bounds is None:
        return
    if ignored:
        yield drop_min_groups(report, bounds, threads, wanted, "the compiler ignores the number")
    if asked.means.of_groups is not None and not (ignored and _has_enough(report, threads, asked.means.of_groups)):
        effect = _groups(report, threads, wanted)
        yield set_min_groups(report, bounds, threads, wanted, asked.means.of_groups, effect)


def _has_enough(report: KernelReport, threads: int, wanted: int) -> bool:
    """Whether the compiler, as it counted this text, keeps to what so many waves leave: then asking for them changes
    nothing (docs/bounds.md)."""
    count, most = report.registers, report.arch.register_ceiling(threads, wanted)
    surely = count.source in COUNTED and count.freshness == "fresh"
    return surely and count.highest + report.built.accumulators[1] <= most


RULE = Rule(
    "OCC103",
    "warning",
    "the second launch bound counts waves per SIMD here, not blocks",
    check=_check,
    check_view=_check_name,
    concerns=_concerns,
)
