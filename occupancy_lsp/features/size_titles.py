"""Titles of edits of a work-group's size: what they do, and where else."""

from __future__ import annotations

from occupancy_lsp.core.wording import percent_text, span_text
from occupancy_lsp.edits.implied import Implied
from occupancy_lsp.edits.resize import Change, Resize, lanes_used
from occupancy_lsp.languages.registry import LANGUAGES


def size_title(offer: Resize) -> str:
    words = offer.own.before.device.nouns
    files = dict.fromkeys(file.path.name for file, _, _ in offer.edits if file.path)
    where = f", also in {', '.join(files)}" if files else ""
    others = "".join(f"; also sizes {it.before.kernel.name}: {_effect(it)}" for it in offer.others)
    effect = f"{_effect(offer.own)}{_lanes(offer.own)}"
    return f"Use {offer.size} threads per {words.group} (now {offer.before}){where}: {effect}{others}"


def _lanes(change: Change) -> str:
    """What becomes of lanes that idle today."""
    was, becomes = lanes_used(change.before), lanes_used(change.after)
    used = "all" if becomes == 100 else percent_text(becomes)
    return (
        f", {used} lanes of its {change.before.device.nouns.sub_groups} used (now {percent_text(was)})"
        if becomes > was
        else ""
    )


def _effect(change: Change) -> str:
    before, after = change.before.figure, change.after.figure
    assert before is not None and after is not None
    count = change.before.registers
    if not count.counted:
        was, becomes = (span_text(it.lowest.percent, it.highest.percent) for it in (before, after))
        return f"{was} → {becomes}, by the sub-group size" if change.before.built.open_width else f"{was} → {becomes}"
    if count.exact is not None:
        was, becomes = percent_text(before.highest.percent), percent_text(after.highest.percent)
        most = "" if before.exact and after.exact else "at most "
        # The compiler may choose otherwise for another size.
        when = "at" if count.source == "declared" else "if it still uses"
        return f"{most}{was} → {becomes} {when} {count.exact} registers"
    if count.capped or change.after.registers.capped:
        was, becomes = percent_text(before.lowest.percent), percent_text(after.lowest.percent)
        return f"≥{was} → ≥{becomes} by its bounds{_cap(count.highest, change.after.registers.highest)}"
    if before.highest.sub_groups == after.highest.sub_groups:
        was, becomes = percent_text(before.lowest.percent), percent_text(after.lowest.percent)
        return f"≥{was} → ≥{becomes}, however many registers it uses"
    was, becomes = percent_text(before.highest.percent), percent_text(after.highest.percent)
    return f"at most {was} → {becomes}, by its registers"


def _cap(before: int, after: int) -> str:
    if before == after:
        return ""
    return f", at most {after} registers (now {before}){': may spill' if after < before else ''}"


def bounds_title(offer: Implied) -> str:
    """Of the bounds that launches imply."""
    before, after = offer.ceiling
    exact = not LANGUAGES[offer.before.language].launch_bounds
    said = offer.text.strip().removeprefix("__attribute__((").removesuffix("))") if exact else offer.text.strip()
    others = "launches of another size would fail" if exact else "larger launches would fail"
    ceiling = f"at most {after} registers (now {before}), " if before != after else ""
    was, then = offer.before.figure, offer.after.figure if offer.after else None
    least = ""
    if was is not None and then is not None and was.lowest.sub_groups != then.lowest.sub_groups:
        least = f"≥{percent_text(was.lowest.percent)} → ≥{percent_text(then.lowest.percent)} by its bounds; "
    return f"Add {said}, the size of its launches: {ceiling}{least}{others}"
