"""What is offered where a budget is broken: edits with which the kernel keeps it, bounds to try, or another budget."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap
from pathlib import Path

from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.edits.ladder.rows import Row, as_tried
from occupancy_lsp.edits.ladder.steps import possible
from occupancy_lsp.edits.resize import Resize, resizes
from occupancy_lsp.edits.resize.launched import EditContext, Refused
from occupancy_lsp.features import trying
from occupancy_lsp.features.answers import Action, Edit, File
from occupancy_lsp.features.applying import edit_of, edits_in
from occupancy_lsp.features.ladder import head_text, step_title
from occupancy_lsp.features.refused import all_reasons
from occupancy_lsp.features.size_titles import size_title
from occupancy_lsp.rules.budget_broken import RULE, Breach, breaches, promises
from occupancy_lsp.rules.finding import fitting
from occupancy_lsp.rules.promises import Promise, provable, verdict
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Budget, merge
from occupancy_lsp.yamlfile.nodes import MAX_BYTES, place_of

_MOST_OF_GLOB = 24
_FIGURES = ("groups", "percent")  # what another size changes


def offers(view: View, context: EditContext, index: int, opened: Mapping[Path, bytes]) -> Iterator[Action]:
    """For the kernel at `index`; nothing where no budget of it is broken."""
    broken = [it for it in breaches(view, view.reports[index]) if it.found.state == "broken"]
    if not broken:
        return
    here = all(it.on.device == view.device for it in broken)
    edits = [*_sizes(view, context, index, broken), *_bounds(view, context, index, broken)] if here else []
    yield from edits
    if not edits:
        yield _trying(view, context, index, broken, here)
    for number, it in enumerate(dict.fromkeys((it.budget, it.limit) for it in broken)):
        yield from _budget(view, [one for one in broken if (one.budget, one.limit) == it], f"{index}:{number}", opened)


def _sizes(view: View, context: EditContext, index: int, broken: Sequence[Breach]) -> Iterator[Action]:
    found = resizes(context, index)
    for offer in () if isinstance(found, Refused) else found:
        if _keeps(view, offer, [it.promise for it in broken]):
            title = fitting((f"{size_title(offer)}; keeps {_written(broken)}", size_title(offer)))
            edits = tuple(starmap(edit_of, offer.edits))
            yield Action(title, "quickfix", f"budget:{index}:size:{offer.size}", RULE.code, edits=edits)


def _keeps(view: View, offer: Resize, broken: Sequence[Promise]) -> bool:
    """Whether the kernel does, and no budget of another one that the edit sizes is broken by it."""
    if any(verdict(offer.own.after, it).state != "kept" for it in broken):
        return False
    after = [it.after for it in (offer.own, *offer.others)]
    return not any(verdict(it, promise).state == "broken" for it in after for promise in promises(view.settings, it))


def _bounds(view: View, context: EditContext, index: int, broken: Sequence[Breach]) -> Iterator[Action]:
    """Of those that were tried: none that spills more than now."""
    found = trying.tried(view, index)
    steps = possible(context, index) if found else ()
    allowed = {} if isinstance(steps, Refused) else {it.head: it.edits for it in steps}
    for it in (it for it in found[1:] if not it.row.step.size and allowed.get(it.row.head)):
        unharmed = it.row.spills is not None and it.row.spilled <= found[0].row.spilled
        if unharmed and all(verdict(it.report, one.promise).state == "kept" for one in broken):
            title = fitting((f"{step_title(found[0], it)}; keeps {_written(broken)}", step_title(found[0], it)))
            key = f"budget:{index}:bounds:{head_text(it.row.head)}"
            yield Action(title, "quickfix", key, RULE.code, edits=edits_in(view, allowed[it.row.head]))


def _trying(view: View, context: EditContext, index: int, broken: Sequence[Breach], here: bool) -> Action:
    """Bounds that were not tried; or why no edit of the kernel is offered."""
    key, name = f"budget:{index}:try", view.reports[index].kernel.qualified
    hopeful = here and not trying.tried(view, index) and _may_help(context, index, broken)
    title = trying.trying(view, context, index) if hopeful else ""
    if title:
        return Action(title, "quickfix", key, RULE.code, command=("occupancy.tryBounds", (name,)), of_file=True)
    sized = any(it.promise.metric in _FIGURES for it in broken)
    sizes = all_reasons(context, index) or "no other size that the code takes keeps it"
    why = [*([sizes] if sized else []), trying.why_not(view, context, index)]
    if not here:
        why = ["it is broken on a device that is not selected"]
    return Action(f"Edit the kernel to keep {_written(broken)}", "quickfix", key, RULE.code, disabled="; ".join(why))


def _may_help(context: EditContext, index: int, broken: Sequence[Breach]) -> bool:
    """Whether the model leaves it open for some bounds that they keep it."""
    steps = possible(context, index)
    made = (as_tried(context.reports[index], Row(it)) for it in ([] if isinstance(steps, Refused) else steps[1:]))
    return any(all(verdict(it, one.promise).state != "broken" for one in broken) for it in made)


def _written(broken: Sequence[Breach]) -> str:
    return ", ".join(dict.fromkeys(it.written for it in broken))


def _budget(view: View, broken: Sequence[Breach], key: str, opened: Mapping[Path, bytes]) -> Iterator[Action]:
    """Its value in the settings, as what is surely kept on each of its devices; it is left selected."""
    first = broken[0]
    value = _kept_on_all(view, broken)
    path = Path(first.budget.path)
    found = Content(opened[path], 0) if path in opened else read_file(path, MAX_BYTES)
    if value is None or not isinstance(found, Content) or not _has(found.data, first.budget):
        return
    place = place_of(found.data, first.budget.line, first.budget.column, first.limit)
    if place is None:
        return
    glob = first.budget.kernels
    several = f" of '{glob if len(glob) <= _MOST_OF_GLOB else f'{glob[: _MOST_OF_GLOB - 1]}…'}'"
    whose = "" if glob == first.report.kernel.qualified else several
    said = f"{first.limit} {value} in {path.name} (now {first.promise.text(first.promise.value)})"
    edit = Edit(*place, value, File(path, found.data))
    title = f"Change the budget{whose} to {said}"
    yield Action(title, "quickfix", f"budget:{key}", RULE.code, edits=(edit,), value=0, width=len(value))


def _has(content: bytes, budget: Budget) -> bool:
    """Whether the settings, which an editor may hold unsaved, still have this budget in its place."""
    return budget in merge(content, budget.path)[0].budgets


def _kept_on_all(view: View, broken: Sequence[Breach]) -> str | None:
    """By the kernel on each device, and by the others of the file that break it; what is open there stays open."""
    first = broken[0]
    least = first.promise.operator == ">="
    of_it = [it for report in view.reports for it in breaches(view, report) if _is_of(it, first)]
    every = [it for it in of_it if it.report is first.report or it.found.state == "broken"]
    known = [provable(it.on, it.promise) for it in every]
    amounts = [it for it in known if it is not None]
    if len(amounts) < len(known) or (not all(amounts) and least):
        return None
    return _as_written(first.promise, min(amounts) if least else max(amounts))


def _is_of(one: Breach, other: Breach) -> bool:
    return (one.budget, one.limit) == (other.budget, other.limit)


def _as_written(promise: Promise, amount: float) -> str:
    if promise.metric == "percent":
        return f"{math.floor(amount * 10) / 10:g}%"
    kib = promise.metric == "local" and amount and amount % 1024 == 0
    return f"{int(amount) >> 10}KiB" if kib else f"{int(amount)}"
