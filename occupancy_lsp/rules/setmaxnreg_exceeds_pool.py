"""OCC104: setmaxnreg asks for more registers than the block's pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.counts.usage import COUNTED
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import add_min_groups, numbers, set_min_groups
from occupancy_lsp.rules.finding import Finding, Fix, short
from occupancy_lsp.rules.proof import register_count
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.kernels.intent_keywords import HANDS_REGISTERS
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.setmaxnreg import (
    Change,
    body_with_marked_changes,
    certain_register_changes,
    places_of_sure_changes,
)
from occupancy_lsp.source.kernels.warp_specialization import WARPGROUP, warpgroups_by_call
from occupancy_lsp.source.syntax.known_value import Place

_LEAST, _MOST, _UNIT = 24, 256, 8  # registers that the instruction takes


_WORDS = (b"setmaxnreg", b"warpgroup_reg_")  # one of them stands in a text that changes registers


def _concerns(settings: Settings, report: KernelReport) -> bool:
    kernel = report.kernel
    if not report.arch.traits.hands_registers:
        return False
    if kernel.summary.vain is not None:
        return True
    if (
        (kernel.template is not None and not kernel.instances)
        or kernel.conditional
        or kernel.attributes.max_registers is not None
    ):
        return False
    if report.options.relocatable:  # ptxas ignores all of them (C7504)
        return False
    # Where minBlocks are given and dropped, OCC102 says so.
    found = numbers(report)
    if found is None:
        return any(True for _ in _countless(report))
    told = not HANDS_REGISTERS.isdisjoint(kernel.summary.names) or report.asked is not None
    return told and report.arch.min_groups_honoured(*found[1:])


def _countless(report: KernelReport) -> Iterator[Kernel]:
    """The kernel, or those of its instances, where nothing states a number of blocks or registers: then ptxas knows no
    count at entry, and ignores the instruction. `--maxrregcount` is one for kernels without bounds."""
    capped = report.options.max_registers is not None
    if _states_nothing(report.kernel, capped):
        yield report.kernel
    else:
        yield from (it for it in report.kernel.instances if _states_nothing(it, capped))


def _states_nothing(kernel: Kernel, capped: bool) -> bool:
    if kernel.attributes.max_registers is not None:
        return False
    if kernel.attributes.bounds is not None:
        return kernel.attributes.bounds.min_groups is None or kernel.attributes.bounds.min_groups.value.number == 0
    return kernel.attributes.block is not None or not capped


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    kernel = report.kernel
    if kernel.summary.vain is not None:
        text = "setmaxregister is ignored without min_blocks_per_mp: ptxas knows no count at entry (C7508)"
        yield Finding(kernel.summary.vain, text, unnecessary=True)
        return
    if not view.beside.ask("changes registers", lambda: view.source.has_any_word(_WORDS)):
        return
    item, body = view.source.item_text(kernel.item), view.source.body_of(kernel)
    helpers = view.source.register_helpers(kernel)
    marked = body_with_marked_changes(body, item, helpers)
    found = {
        (it.more, it.registers): it
        for it in reversed(certain_register_changes(kernel.head, body, item, marked, helpers))
    }
    refused = [it for it in found.values() if it.registers % _UNIT or not _LEAST <= it.registers <= _MOST]
    for it in refused:
        text = f"setmaxnreg takes a multiple of {_UNIT} from {_LEAST} to {_MOST}, not {it.registers}"
        yield Finding(it.place, f"{text}: ptxas rejects it")
    ignoring = next(_countless(report), None)
    if ignoring is not None:
        places = places_of_sure_changes(kernel.head, body, item, view.source.register_changing_functions(kernel))
        numbers_at = {it.place: it.registers for it in found.values() if it not in refused}
        left = [it for it in places if it not in {one.place for one in refused}]
        yield from _ignored(report, ignoring, left, numbers_at)
        return
    asking = [it for it in found.values() if it.more and it not in refused]
    alone = [finding for it in asking for finding in _beyond(report, it)]
    yield from alone
    if asking and not alone and not refused:
        yield from _together(report, marked, list(found.values()))


def _ignored(
    report: KernelReport, kernel: Kernel, places: list[Place], registers: Mapping[Place, int]
) -> Iterator[Finding]:
    """One for the kernel. `registers`: of those places where the number is known."""
    why = ": without minBlocks ptxas does not know the registers at entry (C7508)"
    if kernel.attributes.bounds is None and kernel.attributes.block is None:
        why = " without bounds or --maxrregcount: ptxas knows no count at entry (C7508)"
    elif kernel is not report.kernel:
        why = f" in <{kernel.arguments}>, without minBlocks (C7508)"
    for place in sorted(places, key=lambda it: it.start)[:1]:
        number = f" {registers[place]}" if place in registers else ""
        text = short(f"setmaxnreg{number} is ignored{why}")
        yield Finding(place, text, fixes=tuple(_stating_blocks(report)), unnecessary=True)


def _stating_blocks(report: KernelReport) -> Iterator[Fix]:
    bounds = report.kernel.attributes.bounds
    threads = bounds.max_threads.value.number if bounds is not None and report.kernel.attributes.block is None else None
    known = bounds is not None and bounds.min_groups is None
    if bounds is not None and known and threads and 0 < threads <= report.arch.max_group_size:
        yield add_min_groups(report, bounds, threads, 1)


def _beyond(report: KernelReport, change: Change) -> Iterator[Finding]:
    """One warpgroup with what it asks for, all others with the least that there is."""
    found = numbers(report)
    if found is None:
        return
    _, most, wanted = found
    size = report.size.exact if report.size.exact and report.size.exact <= most else most
    threads = -(-size // WARPGROUP) * WARPGROUP
    each, rest = _at_entry(report, most, wanted), threads - WARPGROUP
    wants, pool = change.registers * WARPGROUP + _LEAST * rest, each * threads
    if wants > pool:
        others = f" + {_LEAST} × {rest}" if rest else ""
        asked = f"{change.registers} × {WARPGROUP}{others} = {wants} registers"
        text = f"setmaxnreg needs {asked}; the block has {each} × {threads} = {pool}"
        yield Finding(change.place, text, fixes=tuple(_fixes(report, threads, wants)))


def _together(report: KernelReport, marked: bytes, changes: list[Change]) -> Iterator[Finding]:
    """All warpgroups, where it is known which of them run which statement, and each runs one at most."""
    found = numbers(report)
    if found is None:
        return
    _, most, wanted = found
    each = _at_entry(report, most, wanted)
    sizes = (
        [report.size.exact] if report.size.exact and not report.size.bounded else range(WARPGROUP, most + 1, WARPGROUP)
    )
    asked = [(size, shares) for size in sizes if (shares := _shares(marked, changes, size, report.size.exact is None))]
    beyond = [sum(registers * count for registers, count in shares) * WARPGROUP > each * size for size, shares in asked]
    if not beyond or not all(beyond):
        return
    size, shares = asked[-1]
    wants = sum(registers * count for registers, count in shares) * WARPGROUP
    parts = " + ".join(f"{registers} × {count * WARPGROUP}" for registers, count in shares)
    text = f"setmaxnreg needs {parts} = {wants} registers; the block has {each} × {size} = {each * size}"
    most_asked = max((it for it in changes if it.more), key=lambda it: it.registers)
    yield Finding(most_asked.place, short(text), fixes=tuple(_fixes(report, size, wants)))


def _shares(marked: bytes, changes: list[Change], size: int, whole: bool) -> list[tuple[int, int]]:
    """Registers per thread and how many warpgroups take them. `whole`: each change must be run by some."""
    groups = size // WARPGROUP
    run = warpgroups_by_call(marked, "setmaxnreg_", groups) if size % WARPGROUP == 0 else None
    if not run or sum(len(it) for _, it in run) > len(frozenset().union(*(it for _, it in run))):
        return []
    if whole and any(not it for _, it in run):
        return []
    sure = {f"setmaxnreg_{'inc' if it.more else 'dec'}_{it.registers}": it.registers for it in changes}
    each = Counter({_LEAST: groups - sum(len(it) for _, it in run)})
    for name, those in run:
        each[sure.get(name, _LEAST)] += len(those)
    return sorted(((registers, count) for registers, count in each.items() if count), reverse=True)


def _at_entry(report: KernelReport, threads: int, groups: int) -> int:
    """Registers per thread that a block starts with, at most."""
    most = report.arch.register_ceiling(threads, groups)
    compiled = register_count(report) if report.registers.source in COUNTED else None
    return -(-min(most, compiled or most) // _UNIT) * _UNIT


def _fixes(report: KernelReport, size: int, wants: int) -> Iterator[Fix]:
    """The most blocks whose register ceiling leaves the block enough."""
    found = numbers(report)
    if found is None:
        return
    bounds, threads, wanted = found
    for groups in range(wanted - 1, 0, -1):
        each = report.arch.register_ceiling(threads, groups)
        if each * size >= wants:
            yield set_min_groups(report, bounds, threads, wanted, groups, f"up to {each} × {size} for the block")
            return


RULE = Rule(
    "OCC104", "warning", "setmaxnreg asks for more registers than the block has", check_view=_check, concerns=_concerns
)
