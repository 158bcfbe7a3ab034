"""The title of an edit that gives a kernel another work-group size: what it does, and where else."""

from __future__ import annotations

from occupancy_lsp.resize import Change, Resize
from occupancy_lsp.wording import percent_text


def size_title(offer: Resize) -> str:
    words = offer.own.before.device.nouns
    files = dict.fromkeys(sheet.path.name for sheet, _, _ in offer.edits if sheet.path)
    where = f", also in {', '.join(files)}" if files else ""
    others = "".join(f"; also sizes {it.before.kernel.name}: {_effect(it)}" for it in offer.others)
    return f"Use {offer.size} threads per {words.group} (now {offer.before}){where}: {_effect(offer.own)}{others}"


def _effect(change: Change) -> str:
    before, after = change.before.figure, change.after.figure
    assert before is not None and after is not None
    count = change.before.registers
    if count.exact is not None:
        was, becomes = percent_text(before.highest.percent), percent_text(after.highest.percent)
        most = "" if before.exact and after.exact else "at most "
        # The compiler may choose otherwise for another size.
        when = "at" if count.source == "declared" else "if it still takes"
        return f"{most}{was} → {becomes} {when} {count.exact} registers"
    if count.capped or change.after.registers.capped:
        was, becomes = percent_text(before.lowest.percent), percent_text(after.lowest.percent)
        return f"≥{was} → ≥{becomes} by its bounds"
    if before.highest.sub_groups == after.highest.sub_groups:
        was, becomes = percent_text(before.lowest.percent), percent_text(after.lowest.percent)
        return f"≥{was} → ≥{becomes}, whatever registers it takes"
    was, becomes = percent_text(before.highest.percent), percent_text(after.highest.percent)
    return f"at most {was} → {becomes}, by what registers allow"
