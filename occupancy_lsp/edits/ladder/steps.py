"""Which heads are worth compiling: each that lets more work-groups reside, or leaves what spills more registers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from occupancy_lsp.analysis.ceilings import ceiling
from occupancy_lsp.analysis.report import KernelReport, figure
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.edits.ladder.heads import Edits, Head, edits_for, head_of, with_head
from occupancy_lsp.edits.resize import resizes
from occupancy_lsp.edits.resize.launched import EditContext, Refused, launched
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.source.kernels.intent_keywords import SUB_GROUPS
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.vendors.registry import vendor_of

_MOST = 6
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Step:
    """`ceiling`: the most registers that the compiler may use with this head; None: it says nothing of them.

    `edits`: none, of the head as it is. `size`: of its work-groups, where that is changed instead; then `after` is its
    report.
    """

    head: Head
    ceiling: int | None
    edits: Edits
    size: int = 0
    after: KernelReport | None = None


def possible(context: EditContext, index: int) -> list[Step] | Refused:
    """The head as it is, and each other that allows another number of registers, the most first."""
    report = context.reports[index]
    kernel = report.kernel
    if report.figure is None:
        return Refused("its occupancy is not known: the size of its launches is not")
    now = head_of(kernel)
    by_width = not report.arch.traits.counts_registers
    heads = _widths(report, now) if by_width else _heads(context, index, now)
    if isinstance(heads, Refused):
        return heads
    found: dict[int, Step] = {}
    refused = None
    for head in heads:
        edits = edits_for(context.own.source, kernel, head)
        if isinstance(edits, Refused):
            refused = edits
        elif edits:
            most = _ceiling(report, head)
            found[head.width or most] = Step(head, None if by_width else most, edits)
    if refused is not None and not found:
        return refused
    return [unchanged(report), *(found[it] for it in sorted(found, reverse=True))]


def sizes(context: EditContext, index: int) -> list[Step]:
    """The other sizes that are offered of it, as far as the kernel's own file says them."""
    found = resizes(context, index)
    head = head_of(context.reports[index].kernel)
    steps = []
    for it in [] if isinstance(found, Refused) else found:
        own = tuple((place, new) for file, place, new in it.edits if file is context.own)
        steps += [Step(head, None, own, it.size, it.own.after)] if own else []
    return steps


def unchanged(report: KernelReport) -> Step:
    """The kernel as it stands."""
    head = head_of(report.kernel)
    return Step(head, _ceiling(report, head) if report.arch.traits.counts_registers else None, ())


def worth_trying(steps: Sequence[Step], report: KernelReport, spills: int) -> list[Step]:
    """Of `possible`, at most six, and all of `sizes`.

    `report`: with the counts of the head as it is. `spills`: its bytes per thread.
    """
    used = report.registers.highest + report.built.accumulators[1]
    now = report.figure.lowest.groups if report.figure else 0
    found: dict[int, Step] = {}
    capped = [(it.ceiling, it) for it in steps[1:] if it.ceiling is not None]
    for most, step in capped:
        groups = _groups_at(report, min(most, used))
        if groups > now:
            found.setdefault(groups, step)
    roomier = _some([it for most, it in capped if spills and most > used], _MOST // 2)
    tighter = _some([it for it in found.values() if it not in roomier], _MOST - len(roomier))
    widths = {it.sub_group for it in report.built.variants}
    others = [it for it in steps[1:] if it.ceiling is None and (it.size or it.head.width not in widths)]
    return [it for it in steps[1:] if it in roomier or it in tighter or it in others]


def may_help(steps: Sequence[Step], report: KernelReport) -> bool:
    """Of `possible`, where what the kernel uses is not known: whether one makes sure of more than the head as it is."""
    now = report.figure.lowest.groups if report.figure else 0
    return any(it.ceiling is None or _groups_at(report, it.ceiling) > now for it in steps[1:])


def _heads(context: EditContext, index: int, now: Head) -> Iterator[Head] | Refused:
    report = context.reports[index]
    kernel, vendor, language = report.kernel, vendor_of(report.arch), LANGUAGES[report.language]
    if kernel.attributes.flat_size is not None or _second_argument(kernel):
        return Refused("attributes of AMD's compiler give its sizes and waves")
    if kernel.attributes.max_registers is not None and vendor.caps_registers:
        return _caps(report)
    if not language.launch_bounds or (kernel.attributes.waves is not None and now.second is None):
        return _by_attribute(report, now)
    if kernel.attributes.block is not None:
        return Refused("its annotation fixes its size")
    if kernel.attributes.bounds is not None:
        if now.threads is None:
            return Refused("the threads of its bounds are not one number")
        return _bounds(report, now.threads)
    every = launched(context, index)
    if not isinstance(every, Refused):
        return _bounds(report, every.size)
    # Larger launches than the bounds would fail, and not all are in sight; what asks for no size harms none.
    return _caps(report) if vendor.caps_registers else _by_attribute(report, now)


def _bounds(report: KernelReport, threads: int) -> Iterator[Head]:
    """Of heads that allow as many registers the last is kept: so it names as many groups as these leave room for, or
    none where one is the same as none."""
    second = vendor_of(report.arch).second_bound
    if threads > report.arch.max_group_size or second is None:
        return
    yield from (Head(threads, it) for it in vendor_of(report.arch).second_numbers(report.arch, threads))
    if not second.counts_groups:
        yield Head(threads)


def _widths(report: KernelReport, now: Head) -> Iterator[Head] | Refused:
    """Where the compiler chooses the sub-group size: each that it may choose."""
    if not vendor_of(report.arch).width_attribute:
        return Refused(f"registers limit nothing on {report.device.name}")
    if now.width is not None or any(SUB_GROUPS in it for it in report.kernel.summary.names):
        return Refused("it is written for the sub-group size that it has")
    return (replace(now, width=it) for it in report.arch.built_widths)


def _by_attribute(report: KernelReport, now: Head) -> Iterator[Head]:
    vendor, threads = vendor_of(report.arch), max(report.size.sizes)
    if vendor.waves_attribute:
        built = vendor.most_threads(report.arch, report.kernel, report.language, report.options) or threads
        yield from (replace(now, waves=it) for it in vendor.second_numbers(report.arch, built))


def _caps(report: KernelReport) -> Iterator[Head]:
    """As many registers as so many work-groups leave each other."""
    arch, threads = report.arch, max(report.size.sizes)
    for groups in vendor_of(arch).second_numbers(arch, threads):
        yield Head(registers=arch.register_ceiling(threads, groups))


def _second_argument(kernel: Kernel) -> bool:
    """Whether `amdgpu_waves_per_eu` has the most waves as well."""
    least, most = kernel.attributes.waves, kernel.attributes.most_waves
    return least is not None and most is not None and most.place != least.place


def _ceiling(report: KernelReport, head: Head) -> int:
    return ceiling(report.arch, with_head(report.kernel, head), report.language, report.options).registers


def _groups_at(report: KernelReport, registers: int) -> int:
    """The fewest work-groups that reside with so many, accumulation registers among them."""
    count = replace(report.registers, lowest=registers, highest=registers)
    built = replace(report.built, accumulators=(0, 0))
    found = figure(report.arch, report.size, count, report.local, built)
    return found.lowest.groups if found else 0


def _some(steps: Sequence[_T], most: int) -> list[_T]:
    """Evenly among them, the ends included."""
    if len(steps) <= most:
        return [*steps]
    return [steps[round(it * (len(steps) - 1) / (most - 1))] for it in range(most)]
