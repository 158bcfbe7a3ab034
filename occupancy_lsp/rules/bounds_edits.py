"""Edits of `__launch_bounds__`, mostly of its second argument, each with what it does to the register ceiling."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.rules.finding import Fix, fitting
from occupancy_lsp.session.project import runs
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue, Bounds
from occupancy_lsp.source.syntax.known_value import Place
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.vendors.vendor import SecondBound


def numbers(report: KernelReport) -> tuple[Bounds, int, int] | None:
    """The bounds with both their numbers; None where one is not given, not known or without effect."""
    second = _second(report)
    return _both(report) if second and second.counts_groups and report.kernel.attributes.block is None else None


def threads_alone(report: KernelReport) -> tuple[Bounds, int] | None:
    """The bounds and their threads, where no second number says for how many groups to build; None: they differ."""
    bounds, second = report.kernel.attributes.bounds, _second(report)
    if bounds is None or second is None or not second.counts_groups or report.kernel.attributes.block is not None:
        return None
    threads = bounds.max_threads.value.number
    return (bounds, threads) if bounds.min_groups is None and threads and threads > 0 else None


def waves(report: KernelReport) -> tuple[Bounds, int, int] | None:
    """The same where the second number counts waves per SIMD: of HIP on AMD. None also where an attribute of AMD's own
    overrides them."""
    kernel = report.kernel
    overridden = (
        kernel.attributes.waves or kernel.attributes.flat_size or kernel.attributes.num_vgpr or kernel.attributes.block
    )
    return _both(report) if counts_waves(report) and not overridden else None


def counts_waves(report: KernelReport) -> bool:
    """Whether the bounds become attributes of AMD's: those of HIP on AMD."""
    second = _second(report)
    heeded = LANGUAGES[report.language].launch_bounds and runs(report.device, report.language)
    return second is not None and not second.counts_groups and heeded


def _second(report: KernelReport) -> SecondBound | None:
    return vendor_of(report.arch).second_bound


def _both(report: KernelReport) -> tuple[Bounds, int, int] | None:
    bounds = report.kernel.attributes.bounds
    if bounds is None or bounds.min_groups is None:
        return None
    threads, groups = bounds.max_threads.value.number, bounds.min_groups.value.number
    return (bounds, threads, groups) if threads and groups and threads > 0 and groups > 0 else None


def set_min_groups(report: KernelReport, bounds: Bounds, threads: int, now: int, groups: int, effect: str) -> Fix:
    assert bounds.min_groups is not None
    before, after = _most(report, threads, now), _most(report, threads, groups)
    lead = f"Set {_name(report)} to {groups}: {effect}"
    title = fitting(f"{lead}; {_change(report, before, after, brief)}" for brief in (False, True))
    return _of_numbers(report, _fix(title, bounds, (bounds.min_groups.place, str(groups))), bounds.min_groups)


def ask_for_one(report: KernelReport, bounds: Bounds, threads: int, now: int) -> Fix:
    """The most registers that the threads leave: ptxas may give far fewer where no number is given."""
    return set_min_groups(report, bounds, threads, now, 1, "asks for one block")


def add_min_groups(report: KernelReport, bounds: Bounds, threads: int, groups: int) -> Fix:
    """Where none are given. A third argument needs a second one, so there is none."""
    place = bounds.max_threads.place
    after = Place(place.item, place.end, place.end)
    most = _most(report, threads, groups)
    return _fix(f"Add {_name(report)} {groups}: at most {most} registers at entry", bounds, (after, f", {groups}"))


def set_threads(report: KernelReport, bounds: Bounds, now: int, threads: int) -> Fix:
    groups = bounds.min_groups.value.number if bounds.min_groups else None
    before, after = (_most(report, it, groups) for it in (now, threads))
    change = _change(report, before, after)
    title = f"Set the bounds to {threads} threads: {change}"
    return _of_numbers(report, _fix(title, bounds, (bounds.max_threads.place, str(threads))), bounds.max_threads)


def lower_threads(report: KernelReport, bounds: Bounds, now: int, threads: int) -> Fix:
    """To what is launched. One group is asked for, where groups are counted: for more, ptxas may leave far fewer."""
    second = _second(report)
    place, one = bounds.max_threads.place, bounds.min_groups is None and second is not None and second.counts_groups
    groups = bounds.min_groups.value.number if bounds.min_groups else None
    before, after = _most(report, now, groups), _most(report, threads, 1 if one else groups)
    effect = f"{_change(report, before, after)}; larger launches would fail"
    edit = (place, f"{threads}, 1" if one else str(threads))
    fix = _fix(f"Lower the bounds to {threads} threads, as launched: {effect}", bounds, edit)
    return _of_numbers(report, fix, bounds.max_threads)


def drop_min_groups(report: KernelReport, bounds: Bounds, threads: int, now: int, effect: str = "") -> Fix:
    """Where a third argument follows, 0 says the same as no argument."""
    assert bounds.min_groups is not None
    place = bounds.min_groups.place
    after = Place(place.item, bounds.max_threads.place.end, place.end)
    edit = (after, "") if bounds.max_cluster is None else (place, "0")
    lead = f"Drop {_name(report)}" if bounds.max_cluster is None else f"Set {_name(report)} to 0"
    change = _change(report, _most(report, threads, now), _most(report, threads, None))
    said = f"{effect}; {change}" if effect else change
    return _of_numbers(report, _fix(f"{lead}: {said}", bounds, edit), bounds.min_groups)


def _of_numbers(report: KernelReport, fix: Fix, *given: AttributeValue) -> Fix:
    """Without an edit in a template where what is overwritten is no number: it may be another one in each instance."""
    every = report.kernel.template is None or all(it.value.literal == it.place for it in given)
    return fix if every else replace(fix, edits=())


def _fix(title: str, bounds: Bounds, edit: tuple[Place, str]) -> Fix:
    """Without an edit where a macro has the bounds in it: other kernels may have it too."""
    return Fix(title, (edit,) if bounds.max_threads.place != bounds.place else ())


def _name(report: KernelReport) -> str:
    second = _second(report)
    return second.argument if second else "the second bound"


def add_bounds(report: KernelReport, threads: int, now: int, most: int) -> tuple[Fix, ...]:
    """Before the kernel's name, unless that may be written with a scope."""
    kernel, bounds = report.kernel, f"__launch_bounds__({threads})"
    if "::" in kernel.qualified:
        return ()
    at = Place(kernel.name_place.item, kernel.name_place.start, kernel.name_place.start)
    most = max(most, report.options.shared)
    title = f"Add {bounds}: {_change(report, now, most)}; larger launches would fail"
    return (Fix(title, ((at, f"{bounds} "),)),)


def raise_threads(report: KernelReport, bounds: Bounds, now: int, threads: int) -> Fix:
    """For launches of so many threads, with at least the warps that the second number keeps on an SM."""
    before, wanted = bounds.max_threads.place, bounds.min_groups.value.number if bounds.min_groups else None
    after = _groups_for(report, now, wanted, threads)
    edits, given = [(before, str(threads) if wanted or not after else f"{threads}, {after}")], [bounds.max_threads]
    if bounds.min_groups is not None and after != wanted:
        edits.append((bounds.min_groups.place, str(after)))
        given.append(bounds.min_groups)
    said = f"{threads} threads" if after == wanted else f"{threads}, {after}"
    was, most = _most(report, now, wanted), _most(report, threads, after)
    # A macro that stands for the bounds may stand at other kernels, too.
    fix = Fix(
        f"Raise the bounds to {said}: {_change(report, was, most)}", tuple(edits) if before != bounds.place else ()
    )
    return _of_numbers(report, fix, *given)


def _groups_for(report: KernelReport, now: int, wanted: int | None, threads: int) -> int | None:
    """The second number for other threads. With none, and with more registers than one block may have, ptxas gives
    those of one block only where it is asked for one."""
    second = _second(report)
    if second is None or not second.counts_groups:
        return wanted
    if wanted:
        heeded = report.arch.min_groups_honoured(now, wanted)
        return max(now * wanted // threads, 1) if heeded else wanted
    return 1 if wanted is None and (report.registers.exact or 0) > _most(report, threads, None) else wanted


def _most(report: KernelReport, threads: int, groups: int | None) -> int:
    return max(report.arch.register_ceiling(threads, groups), report.options.shared)


def _change(report: KernelReport, before: int, after: int, brief: bool = False) -> str:
    """Of the most registers; with fewer the kernel may spill, unless it is known to need no more."""
    if before == after:
        return f"still at most {after} {report.device.nouns.registers}"
    enough = report.registers.lowest is not None and report.registers.highest <= after
    now, spills = "" if brief else f" (now {before})", ", may spill" if after < before and not enough else ""
    return f"at most {after} {report.device.nouns.registers}{now}{spills}"
