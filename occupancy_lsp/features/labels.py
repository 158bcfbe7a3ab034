"""What an inlay hint says: what is known of the size, the percentage, what limits last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from occupancy_lsp.analysis.any_size import any_size, groups_by_memory
from occupancy_lsp.analysis.blame import (
    Budget,
    best_budget,
    is_worth_saying,
    memory_budget,
    memory_decides,
    sure_budget,
)
from occupancy_lsp.analysis.inputs import Registers
from occupancy_lsp.analysis.report import Figure, KernelReport, LaunchReport, tensor_memory_decides
from occupancy_lsp.analysis.together import together
from occupancy_lsp.calculator.fill import unit_word
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.wording import percent_text, short_bytes, span_text
from occupancy_lsp.features.built_with import in_several_ways
from occupancy_lsp.features.hint_label import LONGEST, Kind, Label
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Fault, Occupancy

_NO_LAUNCH = "no launch: "
_LEFT_OUT = "left out: "  # by a tuner
_REFUSED = f"{_NO_LAUNCH}does not compile"
_COUNTED = ("registers_per_thread", "registers", "scalars")  # what a build has said
_SHORT = 6  # letters of a word for work-group that a hint has room for


def kernel_label(report: KernelReport) -> Label | None:
    """None: nothing is known, or nothing worth a hint."""
    words = report.device.nouns
    if report.rejected:
        return Label("exact", _REFUSED)
    if report.figure is None:
        return (_sizes(report) or _any_size(report)) if not report.intended else None
    if report.intended is not None and report.figure.highest.groups:
        groups = _span(report.figure.lowest.groups, report.figure.highest.groups)
        kind: Kind = "exact" if report.figure.exact else "bounded"
        return Label(kind, f"{report.intended.groups or groups} {words.group_short} (intended)")
    # Its instances may have other bounds than the template.
    apart = len(report.launches) > 1 and not report.far and all(it.figure for it in report.launches)
    return figure_label(report, together(report.launches) if apart else report, report.figure)


def figure_label(report: KernelReport, of: KernelReport | LaunchReport, figure: Figure) -> Label:
    """Of the kernel, or of one of its launches."""
    if report.rejected:
        return Label("exact", _REFUSED)
    it = _Judged(report, of, figure)
    found = _label(it)
    if figure.highest.fault is None:
        found = replace(found, at=it.at, tail=(*found.tail, *_spills(of.registers)))
    if it.lead:
        short = len(f"{it.lead} · {found.share}") > LONGEST
        share = _NO_LAUNCH.rstrip(": ") if figure.highest.fault is not None and short else found.share
        found = replace(found, share=share, lead=it.lead, size="")
    return replace(found, share=f"~{found.share}") if figure.source == "estimated" and not found.estimated else found


@dataclass(frozen=True, slots=True)
class _Judged:
    report: KernelReport
    of: KernelReport | LaunchReport
    figure: Figure

    @property
    def words(self) -> Nouns:
        return self.report.device.nouns

    @property
    def memory_open(self) -> bool:
        """Whether it is not known how much local memory a group takes."""
        return self.figure.bytes_open or bool(self.of.local.unseen)

    @property
    def columns_open(self) -> bool:
        """Whether it matters that the columns of tensor memory that a group takes are not known."""
        return tensor_memory_decides(self.report.arch, self.of.built, self.figure)

    @property
    def memory_kind(self) -> Kind:
        """Where it matters how much local memory a group takes."""
        return "open memory" if self.of.local.open else "upper bound"

    @property
    def at(self) -> str:
        return f" at {self.figure.sizes[-1]}" if self.of.size.bounded else ""

    @property
    def lead(self) -> str:
        return f"@{', '.join(map(str, self.figure.sizes))}" if self.of.size.assumed else ""

    @property
    def range(self) -> str:
        return span_text(self.figure.lowest.percent, self.figure.highest.percent)

    @property
    def size(self) -> str:
        return "" if self.of.size.bounded else size_text(self.figure.sizes)

    @property
    def clustered(self) -> bool:
        if isinstance(self.of, LaunchReport):
            return self.report.clustered_by([self.of.launch])
        return self.report.clustered

    @property
    def several(self) -> str:
        """Why a figure has two ends though each of its parts may have one."""
        launches = len(self.report.launches) + len(self.report.far)
        if self.report.in_variants and launches > 1:
            return f"{launches} variants"
        sizes = self.figure.sizes
        if len(sizes) > 1 and not self.of.size.bounded:
            return f"{len(sizes)} sizes"
        return f"{launches} launches"


def size_text(sizes: Sequence[int]) -> str:
    return f"{sizes[0]}–{sizes[-1]} thr" if len(sizes) > 2 else f"{', '.join(map(str, sizes))} thr"


def _label(it: _Judged) -> Label:
    figure, words, registers = it.figure, it.words, it.of.registers
    counted = figure.highest.fault is not None and figure.highest.fault.resource in _COUNTED
    if figure.highest.fault is not None and not (counted and registers.freshness != "fresh"):
        left_out = isinstance(it.of, LaunchReport) and it.report.leaves_out(it.of.launch)
        return Label("exact", (_LEFT_OUT if left_out else _NO_LAUNCH) + _fault(figure.highest.fault, words))
    if registers.freshness != "fresh":
        return Label("bounded", f"{it.range}?", ("stale",))
    if it.clustered:
        return _upper(it)
    if figure.exact:
        return _exact(it, figure.highest)
    if it.columns_open and memory_decides(it.report.arch, figure):
        if not (registers.known or figure.lowest.groups):  # some count of registers fits
            return Label("upper bound", f"≤{percent_text(figure.highest.percent)}", ("tmem?",))
        return Label("bounded", it.range, ("tmem?",))
    if not registers.known and registers.lowest is None:
        return _floor(it) if registers.capped and figure.lowest.groups else _budget(it)
    if memory_decides(it.report.arch, figure):
        return _by_memory(it)
    if len(figure.each) > len(it.of.built.variants):
        return Label("bounded", it.range, (it.several,))
    if not registers.known:
        return Label("bounded", it.range, (f"{len(it.report.counted)} instances",))
    return _by_width(it) or Label("bounded", it.range, (_open_input(it),))


def _open_input(it: _Judged) -> str:
    if it.columns_open:
        return "tmem?"
    return "flags?" if in_several_ways(it.report) else "barriers?"


def size_wanted(report: KernelReport) -> str:
    """For a kernel of which nothing is known: `block size?`."""
    return f"{report.device.nouns.group} size?"


def matrix_label(cells: Sequence[tuple[Device, Label]], room: int = LONGEST) -> str | None:
    """`H100 50% · A100 38%`; None if it gets longer than `room`."""
    named = [(device.id.upper().replace("-", " "), label) for device, label in cells]
    parts = [filter(None, (name, label.lead, f"{label.share}{label.condition}")) for name, label in named]
    text = " · ".join(map(" ".join, parts))
    return text if len(text) <= room else None


def _by_memory(it: _Judged) -> Label:
    """With registers known, or between two counts: how much local memory a group takes is open."""
    best = it.figure.highest
    if it.of.local.unseen and best.percent < 100:
        found = _exact(it, best)
        return replace(found, kind="upper bound", share=f"≤{found.share}")
    if not it.figure.lowest.groups:
        return _within_memory(it, Label(it.memory_kind, percent_text(best.percent)))
    return _range_of_memory(it)


def _by_width(it: _Judged) -> Label | None:
    """The compiler chooses the sub-group size."""
    figure, words = it.figure, it.words
    if not it.of.built.open_width:
        return None
    if figure.lowest.sub_groups == figure.highest.sub_groups:
        groups = _span(figure.lowest.groups, figure.highest.groups)
        return Label("bounded", it.range, (f"{groups} {words.group_short}/{_unit(figure.highest, words)}",))
    return Label("bounded", it.range, ("SIMD?",))


def _floor(it: _Judged) -> Label:
    """The annotations cap the registers: the lower end holds whatever the count, and whatever else is open."""
    figure = it.figure
    limiters, cap = figure.lowest.limiters, f"regs ≤{it.of.registers.highest}"
    if "registers" not in limiters and "local_memory" in limiters and figure.memory_open:
        return _range_of_memory(it)
    if "registers" not in limiters and "barriers" in limiters and it.of.built.barriers.exact is None:
        return Label("bounded", it.range, ("barriers?",))
    if "registers" not in limiters and "tensor_memory" in limiters and it.columns_open:
        return Label("bounded", it.range, ("tmem?",))
    size = it.size if len(figure.sizes) > 1 else ""
    return Label("bounded", f"≥{percent_text(figure.lowest.percent)}", (cap,), size)


def _budget(it: _Judged) -> Label:
    """The largest register count that keeps the best figure; of what is open of the local memory, what matters."""
    arch, figure = it.report.arch, it.figure
    best, sure = best_budget(arch, figure), sure_budget(arch, figure)
    if sure.lowest.sub_groups == best.lowest.sub_groups and sure.highest.sub_groups == best.highest.sub_groups:
        return Label("budget", _span_of(best), _limited_by_memory(it), it.size, condition=_if(best))
    if is_worth_saying(sure, best) or (sure.registers and not memory_decides(arch, figure)):
        return Label("budget", f"≥{percent_text(sure.lowest.percent)}", (), it.size, condition=_if(sure))
    if not it.memory_open:
        share = span_text(sure.lowest.percent, best.highest.percent)
        return Label("bounded", share, ("carve-out?",), it.size, condition=_if(best))
    return _within_memory(it, Label(it.memory_kind, _span_of(best), (), it.size, condition=_if(best)))


def _span_of(budget: Budget) -> str:
    return span_text(budget.lowest.percent, budget.highest.percent)


def _if(budget: Budget) -> str:
    return f" if ≤{budget.registers} regs"


def _within_memory(it: _Judged, label: Label) -> Label:
    """`label` with the bytes that it holds to; the figure's range where there is no room for them."""
    amount, estimate = memory_budget(it.report.arch, it.figure), it.of.estimated
    if estimate is not None and (amount is None or amount < _bytes_of(estimate)[-1]):
        return _by_estimate(it, estimate)
    if amount is None:
        return _range_of_memory(it)
    most = f"≤{amount // 1024} KiB" if amount >= 1024 else f"≤{amount} B"
    return _if_bytes(it, label, most) or _range_of_memory(it)


def _if_bytes(it: _Judged, label: Label, amount: str) -> Label | None:
    """`label` if so many bytes are taken; None: there is no room to say so."""
    joint = "," if label.condition else " if"
    forms = (f"{label.condition}{joint} {amount} {it.words.local_short}", f"{label.condition}{joint} {amount}")
    room = LONGEST - len(f"{it.lead} · " if it.lead else "") - len(label.share + it.at)
    form = next((form for form in forms if len(form) <= room), None)
    return replace(label, condition=form) if form else None


def _range_of_memory(it: _Judged) -> Label:
    if it.of.estimated is not None:
        return _by_estimate(it, it.of.estimated)
    if it.memory_open:
        return Label(it.memory_kind, it.range, (f"{it.words.local_short}?",))
    return Label("bounded", it.range, ("carve-out?",))


def _by_estimate(it: _Judged, estimate: Figure) -> Label:
    """`50% if ≤64 regs, ~96 KiB smem`: with the bytes that its loop is estimated to take."""
    unsaid = replace(it, of=replace(it.of, estimated=None))
    amounts = "–".join(map(short_bytes, _bytes_of(estimate)))
    if estimate.highest.fault is None:
        found = replace(_label(replace(unsaid, figure=estimate)), tail=(), estimated=True)
    else:
        found = Label(it.memory_kind, _NO_LAUNCH.removesuffix(": "), estimated=True)
    return _if_bytes(it, found, f"~{amounts}") or _range_of_memory(unsaid)


def _bytes_of(estimate: Figure) -> list[int]:
    """The least and the most that it takes, as one where they are equal."""
    amounts = sorted(it.least.static_local + it.least.dynamic_local for it in estimate.each)
    return [*dict.fromkeys((amounts[0], amounts[-1]))]


def _limited_by_memory(it: _Judged) -> tuple[str, ...]:
    best = it.figure.highest
    short = {"local_memory": it.words.local_short, "tensor_memory": "tmem"}
    alone = best.limiters[0] if len(best.limiters) == 1 else ""
    return (short[alone],) if best.percent < 100 and alone in short else ()


def _unit(result: Occupancy, words: Nouns) -> str:
    return replace(words, unit=unit_word(result, words)).unit_short


def _exact(it: _Judged, result: Occupancy) -> Label:
    words = it.words
    share, groups = percent_text(result.percent), f"{result.groups} {words.group_short}/{_unit(result, words)}"
    if result.percent == 100:
        return Label("exact", share, (groups,))
    short = {
        "registers": "regs",
        "local_memory": words.local_short,
        "scalars": "SGPRs",
        "groups": words.groups,
        "sub_groups": words.sub_groups,
        "barriers": "barriers",  # named where they alone limit
        "tensor_memory": "tmem",
    }
    return Label("exact", share, (groups, next((short[name] for name in short if name in result.limiters), "")))


def _upper(it: _Judged) -> Label:
    """Clusters may find no room: only an upper bound is proved."""
    found = _exact(it, it.figure.highest)
    if it.figure.highest.percent == 100:
        return Label("upper bound", f"≤{found.tail[0]}", ("clusters",), it.size)
    if it.of.registers.known:
        return replace(found, kind="upper bound", share=f"≤{found.share}")
    count = (f"regs ≤{it.of.registers.highest}",) if it.of.registers.capped else _limited_by_memory(it)
    return Label("upper bound", f"≤{found.share}", count or ("clusters",))


def _spills(count: Registers) -> tuple[str, ...]:
    """What the compiler spilled of the kernel as it stands; of several instances, the most."""
    spills = count.spills
    if spills is None or count.freshness != "fresh" or not spills.highest:
        return ()
    most = "≤" if spills.lowest < spills.highest else ""
    return (f"spills {most}{f'{spills.highest} regs' if spills.registers else short_bytes(spills.highest)}",)


def _span(low: int, high: int) -> str:
    return str(high) if low == high else f"{low}–{high}"


def _fault(fault: Fault, words: Nouns) -> str:
    if fault.says:
        return fault.says
    unit = {
        "group_size": "threads",
        "bounds": "threads",
        "registers_per_thread": "regs/thread",
        "registers": "regs",
        "scalars": "SGPRs",
        "local_memory": f"B {words.local_short}",
        "barriers": "barriers",
        "resident": "at once",
    }[fault.resource]
    most = f">{fault.allows} {unit}"
    return f"{fault.needs}{most}" if len(_NO_LAUNCH) + len(str(fault.needs)) + len(most) <= LONGEST else most


def _sizes(report: KernelReport) -> Label | None:
    """`100% at 64, 128`: every size that reaches the best value, or the first and last where they are many."""
    best = report.best
    if best is None:
        return None
    percent, sizes = span_text(best.lowest, best.highest), best.sizes
    steps = {b - a for a, b in pairwise(sizes)}
    text = f"{percent} at {', '.join(map(str, sizes))}"
    if len(sizes) > 2 and len(steps) == 1 and 32 in steps:
        text = f"{percent} at {sizes[0]}–{sizes[-1]}"
    elif len(text) > LONGEST:
        text = f"{percent} at {sizes[0]}, {sizes[1]} … {sizes[-1]}"
    spills = _spills(report.registers)
    asked = f"{text} · SIMD?" if report.built.open_width and best.lowest < best.highest else text
    count = f"{report.registers.exact} regs" if report.registers.exact is not None else ""
    return Label("by size", asked if len(asked) <= LONGEST else text, spills, size=count)


def _any_size(report: KernelReport) -> Label | None:
    """`≤50% · smem · any block`: what holds at every size that it can be launched with, if that says something."""
    figure, words = any_size(report), report.device.nouns
    if figure is None or report.registers.freshness != "fresh":
        return None
    group = min(words.group, words.group_short, key=lambda it: len(it) > _SHORT)
    said: Label | None = None
    if figure.highest.fault is not None:
        said = Label("exact", _NO_LAUNCH + _fault(figure.highest.fault, words))
    elif figure.highest.percent < 100:
        limiter = (words.local_short,) if "local_memory" in figure.highest.limiters else ()
        said = Label("by size", f"≤{percent_text(figure.highest.percent)}", (*limiter, f"any {group}"))
    elif report.registers.capped and figure.lowest.sub_groups > 1 and not report.clustered:
        said = Label("by size", f"≥{percent_text(figure.lowest.percent)}", (f"any {group}",))
    elif (groups := groups_by_memory(figure)) is not None:
        most = f"≤{groups} {words.group_short}/{_unit(figure.highest, words)}"
        said = Label("by size", most, (words.local_short, f"any {group}"))
    return replace(said, share=f"~{said.share}") if said and figure.source == "estimated" else said
