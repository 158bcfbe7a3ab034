"""Titles of edits of a work-group's size: what they do, and where else."""

from __future__ import annotations

from itertools import product

from occupancy_lsp.analysis.ceilings import ceiling
from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.core.wording import percent_text, span_text
from occupancy_lsp.edits.carve_out import Share
from occupancy_lsp.edits.implied import Implied
from occupancy_lsp.edits.resize import Change, Resize, lanes_used
from occupancy_lsp.rules.finding import fitting
from occupancy_lsp.rules.launch_exceeds_bounds import larger


def size_title(offer: Resize) -> str:
    """With the effect on each kernel that the edit is of; where that is too long, in fewer words, or by their names."""
    own, words = offer.own, offer.own.before.device.nouns
    lead = f"Change {words.group} size to {_shape(offer.shapes[1])} (now {_shape(offer.shapes[0])})"
    names = [it.before.kernel.name for it in offer.others]
    also = [
        "".join(f"; also sizes {it.before.kernel.name}: {_effect(it)}" for it in offer.others),
        *([f"; also sizes {', '.join(names)}", f"; also sizes {len(names)} more"] if names else []),
    ]
    effects = [f"{_effect(own, brief)}{_bounds(own, brief)}{_lanes(own, brief)}" for brief in (False, True)]
    effects.append(f"{_effect(own, True)}{_bounds(own, True)}")
    titles = [f"{lead}{where}: {effect}{said}" for said, effect, where in product(also, effects, _where(offer))]
    barest = effects[-1].partition(" at ")[0]
    return fitting((*titles, f"{lead}{_where(offer)[-1]}: {barest}{also[-1]}"))


def launch_title(offer: Resize) -> str:
    """Of a size with which the launches do not fail."""
    now, then = map(_shape, offer.shapes)
    return fitting(f"Launch with {then} threads (now {now}){where}" for where in _where(offer))


def share_title(report: KernelReport, share: Share) -> str:
    """Of a larger carve-out: what it makes sure of, at the cost of cache."""
    was, then = (span_text(it.lowest.percent, it.highest.percent) for it in (share.before, share.after))
    memory, cost = report.device.nouns.local_memory, ", for less L1 cache"
    lead = f"Prefer {share.percent}% as {memory} (now {share.now}%): {was} → {then}"
    return fitting((f"{lead}{cost}", lead))


def _shape(dimensions: tuple[int, ...]) -> str:
    return " × ".join(map(str, dimensions))


def _where(offer: Resize) -> tuple[str, ...]:
    every = dict.fromkeys(file.path for file, _, _ in offer.edits)
    others = ", ".join(path.name for path in every if path)
    brief = f" in {len(every)} files" if len(every) > 1 else f" in {others}"
    return (f", also in {others}", brief) if others else ("",)


def _bounds(change: Change, brief: bool) -> str:
    """What the bounds leave a kernel that has all the registers that they leave it today."""
    before, after = (_cap(it) for it in (change.before, change.after))
    registers = change.after.device.nouns.registers
    return _capped(registers, before, after, brief, False) if change.before.registers.exact == before else ""


def _cap(report: KernelReport) -> int:
    return ceiling(report.arch, report.kernel, report.language, report.options).registers


def _lanes(change: Change, brief: bool) -> str:
    """What becomes of lanes that idle today."""
    was, becomes = (percent_text(lanes_used(it)) for it in (change.before, change.after))
    gained = lanes_used(change.after) > lanes_used(change.before)
    return f", {becomes} of lanes used{'' if brief else f' (now {was})'}" if gained else ""


def _effect(change: Change, brief: bool = False) -> str:
    before, after = change.before.figure, change.after.figure
    assert before is not None and after is not None
    count, fails = change.before.registers, before.highest.fault is not None or any(larger(change.before))
    registers = change.after.device.nouns.registers
    if not count.counted:
        was, becomes = (span_text(it.lowest.percent, it.highest.percent) for it in (before, after))
        was = "no launch" if fails else was
        why = ", by the sub-group size" if change.before.built.open_width and not brief else ""
        return f"{was} → {becomes}{why}"
    if count.exact is not None:
        # The compiler may choose otherwise for another size.
        when = "at" if brief or count.source == "declared" else "if it still uses"
        return f"{_best(before, after, fails)} {when} {count.exact} {registers}"
    was, becomes = (f"≥{percent_text(it.lowest.percent)}" for it in (before, after))
    was = "no launch" if fails else was
    if count.capped or change.after.registers.capped:
        most, then = count.highest, change.after.registers.highest
        return f"{was} → {becomes}{_capped(registers, most, then, brief, then < most) or ' by its bounds'}"
    if before.highest.sub_groups == after.highest.sub_groups:
        return f"{was} → {becomes}, however many {registers} it uses"
    return f"{_best(before, after, fails)}, by its {registers}"


def _best(before: Figure, after: Figure, fails: bool) -> str:
    """What it can be at most, before and after. `fails`: the launch does, before."""
    most, becomes = "" if before.exact and after.exact else "at most ", percent_text(after.highest.percent)
    if fails:
        return f"no launch → {most}{becomes}"
    return f"{most}{percent_text(before.highest.percent)} → {becomes}"


def _capped(registers: str, before: int, after: int, brief: bool, may_spill: bool) -> str:
    """What the compiler may use of them."""
    if before == after:
        return ""
    return ("" if brief else f", at most {after} {registers} (now {before})") + (", may spill" if may_spill else "")


def bounds_title(offer: Implied) -> str:
    """Of the bounds that launches imply."""
    before, after = offer.ceiling
    words = offer.before.device.nouns
    caps = [f"at most {after} {words.registers}{now}, may spill; " for now in (f" (now {before})", "")]
    was, then = offer.before.figure, offer.after.figure if offer.after else None
    least = ""
    if was is not None and then is not None and was.lowest.sub_groups < then.lowest.sub_groups:
        least = f"≥{percent_text(was.lowest.percent)} → ≥{percent_text(then.lowest.percent)}; "
    return fitting(f"Add {offer.text.strip()}: {it}larger launches would fail" for it in (f"{caps[0]}{least}", *caps))
