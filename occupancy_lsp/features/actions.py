"""Code actions: fixes of what the rules found, better work-group sizes, and directives that say what is meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, starmap
from pathlib import Path

from occupancy_lsp.analysis.exceeding import most_by_bounds
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.edits.carve_out import larger_share
from occupancy_lsp.edits.implied import Implied, implied_bounds
from occupancy_lsp.edits.resize import (
    Resize,
    refused_ahead,
    resize_to,
    resize_to_ahead,
    resized,
    resized_ahead,
    resizes,
    resizes_ahead,
)
from occupancy_lsp.edits.resize.launched import EditContext, Refused
from occupancy_lsp.features import assuming, budgeted, trying
from occupancy_lsp.features.answers import Action
from occupancy_lsp.features.applying import edit_of, edits_in
from occupancy_lsp.features.diagnostics import directive_findings, rule_findings
from occupancy_lsp.features.refused import all_reasons, may_gain
from occupancy_lsp.features.size_titles import bounds_title, launch_title, share_title, size_title
from occupancy_lsp.features.stating import directive, unstated
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.rules import Rule, budget_broken, launch_exceeds_bounds, occupancy_directive, too_many_threads
from occupancy_lsp.rules.finding import fitting, short
from occupancy_lsp.session.compilations import can_compile
from occupancy_lsp.session.view import View, lacks_count
from occupancy_lsp.source.syntax.known_value import Place
from occupancy_lsp.workspace.launchers import CurrentFile

Opened = Mapping[Path, bytes]  # what stands in the editor
_FIXES = "fixes"  # the key of those that sizes are worked out for
_LAUNCH_FAILS = (too_many_threads.RULE, launch_exceeds_bounds.RULE)
_MOST_KERNELS = 16  # whose tuning is offered at once: it is looked for in all that launches them


def actions(view: View, start: int, end: int, opened: Opened | None = None) -> list[Action]:
    """What is offered between two offsets; tuning edits are resolved later by their key."""
    opened = opened or {}
    findings = _touched(view, (finding.place for _, _, finding in rule_findings(view)), start, end)
    remarks = _touched(view, (it.place for it in directive_findings(view)), start, end)
    heads = _touched(view, (it.kernel.head for it in view.reports), start, end)[:_MOST_KERNELS]
    named = [view.reports[it] for it in heads]
    sized = _begun_context(view, _FIXES, opened)
    found = [*_fixes(view, findings), *_fitting(view, findings, opened, sized)]
    found += [*_budgeted(view, findings, opened, sized), *_sizes(view, start, end, opened)]
    found += [
        *_silencers(view, findings),
        *_removals(view, remarks),
        *_blanks(view, heads),
        *_assumed(view, heads, opened),
    ]
    found += [_as_text(it) for it in named[:1] if it.defect is None]
    if named and view.device is not None:
        title = fitting((f"Select another device (now {view.device.name})…", "Select another device…"))
        found.append(Action(title, "refactor.rewrite", "device", command=("occupancy.selectDevice", ()), asked=True))
        panel = "occupancy.openPanel"
        found.append(
            Action("Open the panel", "refactor.rewrite", panel, command=(panel, ()), of_panel=True, asked=True)
        )
    return [replace(it, title=short(it.title)) for it in (*found, *_compiling(view, named)) if _fits(view, it)]


def _touched(view: View, places: Iterable[Place], start: int, end: int) -> list[int]:
    """The numbers of the places between two offsets."""
    return [number for number, place in enumerate(places) if _touches(view, place, start, end)]


def _kernels_of(view: View, findings: Iterable[int], rules: Collection[Rule]) -> Mapping[int, str]:
    """The numbers of the kernels in which some of the findings are of these rules, each with such a rule's code."""
    raw = rule_findings(view)
    codes = {id(report): rule.code for rule, report, _ in map(raw.__getitem__, findings) if rule in rules}
    about = (index for index, it in enumerate(view.reports) if id(it) in codes) if codes else ()
    return {index: codes[id(view.reports[index])] for index in islice(about, _MOST_KERNELS)}


def _fits(view: View, action: Action) -> bool:
    """Whether its edits mean in the document what they mean in the text of the view."""
    return all(it.file is not None or view.takes(it.start, it.end, it.new) for it in action.edits)


def _compiling(view: View, here: Sequence[KernelReport]) -> Iterator[Action]:
    """On the head of a kernel without a count, or with one that was compiled for it."""
    device = view.device
    if view.path is None or device is None or not can_compile(view.source.dialect.name, device):
        return
    if any(map(lacks_count, here)):
        yield _of_file("Compile this file now", "occupancy.compileFile")
    if any(lacks_count(it) or any(counted.usage.how for counted in it.counted) for it in here):
        yield replace(_of_file("Show how it was compiled", "occupancy.showCompilation"), asked=True)


def _as_text(report: KernelReport) -> Action:
    about = ("occupancy.showPanel", (report.kernel.qualified,))
    title = "Show charts and limits as text"
    return Action(title, "refactor.rewrite", "panel", command=about, of_file=True, opens_text=True, asked=True)


def _of_file(title: str, command: str) -> Action:
    return Action(title, "refactor.rewrite", command, command=(command, ()), of_file=True)


def resolve(view: View, key: str, opened: Opened | None = None) -> Action | None:
    """The action with its edits; None if the document has moved on. No other is worked out for it."""
    found = next((action for action in _alike(view, key, opened or {}) if action.key == key), None)
    return found if found is not None and _fits(view, found) else None


def resolve_ahead(view: View, key: str, opened: Opened) -> Iterator[None]:
    """Work out in steps the edits of another size, of the files as they stand, for `resolve` right after it."""
    kind, index, size = _parsed(key)
    if kind == "size" and index in range(len(view.reports)):
        context = edit_context(view, opened)
        _begun(view)[key] = opened, context
        yield from resized_ahead(context, index, size)


def _begun(view: View) -> dict[str, tuple[Opened, EditContext]]:
    """By key, what actions are being worked out in steps, and with what in the editor."""
    return view.beside.ask("edit contexts of actions being worked out", dict[str, tuple[Opened, EditContext]])


def _begun_context(view: View, key: str, opened: Opened) -> EditContext | None:
    """Of the files as they stood when it was begun, right before; used once."""
    found = _begun(view).pop(key, None)
    return found[1] if found is not None and found[0] == opened else None


def _parsed(key: str) -> tuple[str, int, int]:
    """Its kind, and the numbers in it; -1: there is none."""
    kind, *rest = key.split(":")
    number, size, *_ = (*(int(it) for it in rest if it.isascii() and it.isdecimal()), -1, -1)
    return kind, number, size


def _alike(view: View, key: str, opened: Opened) -> Iterator[Action]:
    """What is offered in the place of the one with this key."""
    kind, number, size = _parsed(key)
    if kind in _OF_FINDINGS:
        yield from _OF_FINDINGS[kind](view, [number] if number in range(len(rule_findings(view))) else [])
    elif kind == "directive":
        yield from _removals(view, [number] if number in range(len(directive_findings(view))) else [])
    elif number in range(len(view.reports)):
        yield from _of_kernel(view, kind, number, size, opened)


def _of_kernel(view: View, kind: str, index: int, size: int, opened: Opened) -> Iterator[Action]:
    report = view.reports[index]
    if kind == "state":
        yield from _blanks(view, [index])
    elif kind in _OF_KERNELS:
        own = [number for number, (_, it, _) in enumerate(rule_findings(view)) if it is report]
        yield from _OF_KERNELS[kind](view, own, opened)
    elif kind == "size":
        context = _begun_context(view, f"size:{index}:{size}", opened)
        found = resized(context or edit_context(view, opened), index, size)
        yield from [_of_size(index, found)] if found is not None else []
    elif kind == "bounds":
        yield from _bounds(edit_context(view, opened), index)
    elif kind == "share":
        yield from _share(view, index)


def _touches(view: View, place: Place, start: int, end: int) -> bool:
    first, last = view.span(place)
    return first <= end and start <= last


def _fixes(view: View, findings: Iterable[int]) -> Iterator[Action]:
    raw = rule_findings(view)
    for number in findings:
        rule, _, finding = raw[number]
        for order, fix in enumerate(fix for fix in finding.fixes if fix.edits):
            key = f"fix:{rule.code}:{number}:{order}"
            yield Action(fix.title, "quickfix", key, rule.code, order == 0, edits_in(view, fix.edits))


def _fitting(view: View, findings: Iterable[int], opened: Opened, begun: EditContext | None = None) -> Iterator[Action]:
    """For launches of more threads than the bounds or the device allow: as many as they do."""
    kernels = _kernels_of(view, findings, _LAUNCH_FAILS)
    context = begun or (edit_context(view, opened) if kernels else None)
    for index, code in kernels.items():
        most = _most_launched(view.reports[index])
        offer = resize_to(context, index, most) if context is not None and most is not None else None
        if offer is not None and not isinstance(offer, Refused) and offer.size < offer.before:
            edits = tuple(starmap(edit_of, offer.edits))
            yield Action(launch_title(offer), "quickfix", f"launch:{index}", code, edits=edits)


def _budgeted(
    view: View, findings: Iterable[int], opened: Opened, begun: EditContext | None = None
) -> Iterator[Action]:
    """For kernels whose budgets are broken. The edits of the settings need no second question."""
    kernels = _kernels_of(view, findings, (budget_broken.RULE,))
    context = begun or (edit_context(view, opened) if kernels else None)
    for index in kernels:
        if context is not None:
            yield from budgeted.offers(view, context, index, opened)


def _fixes_ahead(view: View, findings: Sequence[int], opened: Opened) -> Iterator[None]:
    """Work out in steps the sizes that `_fitting` and `_budgeted` offer."""
    launched = _kernels_of(view, findings, _LAUNCH_FAILS)
    budgets = _kernels_of(view, findings, (budget_broken.RULE,))
    if not launched and not budgets:
        return
    context = edit_context(view, opened)
    _begun(view)[_FIXES] = opened, context
    for index in launched:
        most = _most_launched(view.reports[index])
        if most is not None:
            yield from resize_to_ahead(context, index, most)
    for index in budgets:
        yield from resizes_ahead(context, index)


def _most_launched(report: KernelReport) -> int | None:
    """None: the bounds of its instances differ."""
    most = most_by_bounds(report.arch, report.kernel, report.language, report.options)
    apart = any(most_by_bounds(report.arch, it, report.language, report.options) for it in report.kernel.instances)
    return most or (None if apart else report.arch.max_group_size)


def _removals(view: View, remarks: Iterable[int]) -> Iterator[Action]:
    """Directives that are of no effect."""
    raw = directive_findings(view)
    for number in remarks:
        for fix in raw[number].fixes:
            edits = edits_in(view, fix.edits)
            yield Action(fix.title, "quickfix", f"directive:{number}", occupancy_directive.RULE.code, edits=edits)


def edit_context(view: View, opened: Opened, sure: bool = True) -> EditContext:
    own = CurrentFile(None, view.text.content, view.source, view.facts)
    return EditContext(own, view.reports, view.launchers(opened), sure)


def _remembered_context(view: View, opened: Opened) -> EditContext:
    """For titles, which are asked for wherever the cursor goes. Edits are made of the files as they stand by then."""
    last: list[tuple[Opened, EditContext]] = view.beside.ask("edit context of actions", list)
    if not last or last[0][0] != opened:
        last[:] = [(opened, edit_context(view, opened, sure=False))]
    return last[0][1]


def _sizes(view: View, start: int, end: int, opened: Opened) -> Iterator[Action]:
    """Offered on the kernel's head and on its launches."""
    for index in _sizable(view, start, end):
        context = _remembered_context(view, opened)
        sizes = [*_resizes(context, index)]
        more = (*sizes, *_bounds(context, index), *_share(view, index))
        yield from (replace(action, edits=()) for action in more)
        if not sizes and (reasons := all_reasons(context, index)):
            title = f"Change {view.reports[index].device.nouns.group} size"
            yield Action(title, "refactor.rewrite", f"refused:{index}", disabled=reasons)
        yield from trying.offers(view, context, index)


def ahead(view: View, start: int, end: int, opened: Opened) -> Iterator[None]:
    """Read at each step a little of the other files that actions there ask, or look at one size of a kernel, for
    later."""
    yield from _fixes_ahead(view, _touched(view, (it.place for _, _, it in rule_findings(view)), start, end), opened)
    for index in _sizable(view, start, end):
        context = _remembered_context(view, opened)
        yield from resizes_ahead(context, index)
        if may_gain(view.reports[index]):
            yield from refused_ahead(context, index)


def _sizable(view: View, start: int, end: int) -> Iterator[int]:
    """The kernels there whose design is not said to be meant."""
    left = _MOST_KERNELS
    for index, report in enumerate(view.reports):
        places = [report.kernel.head, *(it.launch.place for it in report.launches)]
        places += [report.kernel.attributes.bounds.place] if report.kernel.attributes.bounds else []
        places += [it.place for it in report.preferred if it.place is not None]
        if left and not report.defect and any(_touches(view, place, start, end) for place in places):
            left -= 1
            if report.intended is None:
                yield index


def _bounds(context: EditContext, index: int) -> Iterator[Action]:
    found = implied_bounds(context, index)
    if isinstance(found, Implied):
        edits = (edit_of(context.own, found.place, found.text),)
        yield Action(bounds_title(found), "refactor.rewrite", f"bounds:{index}", edits=edits)


def _share(view: View, index: int) -> Iterator[Action]:
    report = view.reports[index]
    found = larger_share(report)
    if found is not None and view.source.holds(found.place):
        title = share_title(report, found)
        edits = edits_in(view, ((found.place, str(found.percent)),))
        yield Action(title, "refactor.rewrite", f"share:{index}", edits=edits)


def _resizes(context: EditContext, index: int) -> Iterator[Action]:
    offered = resizes(context, index)
    for offer in () if isinstance(offered, Refused) else offered:
        yield _of_size(index, offer)


def _of_size(index: int, offer: Resize) -> Action:
    edits = tuple(starmap(edit_of, offer.edits))
    return Action(size_title(offer), "refactor.rewrite", f"size:{index}:{offer.size}", edits=edits)


def _silencers(view: View, findings: Iterable[int]) -> Iterator[Action]:
    """Directives above the kernel: this rule is to be silent, or this occupancy is meant. Once for all that the rule
    finds of the kernel."""
    raw = rule_findings(view)
    said_of: set[tuple[str, int]] = set()
    for number in findings:
        rule, report, _ = raw[number]
        if not rule.code.startswith("OCC") or (rule.code, id(report)) in said_of:
            continue
        said_of.add((rule.code, id(report)))
        groups = report.figure.highest.groups if report.figure else 0
        if rule.advice and groups and report.intended is None:
            what = report.device.nouns.group if groups == 1 else report.device.nouns.groups
            count = f"{groups} {what}"
            yield _quick(
                view, report, f"Mark {count} as intentional", f"intended:{number}", rule.code, f"intended {count}"
            )
        said = f"ignore[{rule.code}] "
        yield _quick(view, report, f"Ignore {rule.code} for this kernel", f"ignore:{number}", rule.code, said)


def _quick(view: View, report: KernelReport, title: str, key: str, code: str, said: str) -> Action:
    return Action(title, "quickfix", key, code, edits=(directive(view, report, said),))


def _blanks(view: View, heads: Iterable[int]) -> Iterator[Action]:
    """On a kernel's head, for each input that is open: a directive to fill in.

    What is proved is a bound, and stated it would count as the value: so the value is `?`, which states nothing.
    """
    for index in heads:
        report = view.reports[index]
        if report.defect:
            continue
        found = unstated(view, report, report.size, report.local, report.figure)
        for key, it in found.items():
            comment = LANGUAGES[report.language].comment
            title = f"State the missing value: {comment} occupancy: {key}=" + (f" ({it.least})" if it.least else "")
            edit = directive(view, report, f"{key}=?")
            at = edit.new.index("?")
            yield Action(title, "refactor.rewrite", f"state:{index}:{key}", edits=(edit,), value=at)


def _assumed(view: View, heads: Iterable[int], opened: Opened) -> Iterator[Action]:
    """On the head of a kernel without a size."""
    for index in heads:
        found = assuming.action(view, view.reports[index], f"assume:{index}", opened)
        if found is not None:
            yield found


_OF_FINDINGS = {"fix": _fixes, "ignore": _silencers, "intended": _silencers}
_OF_KERNELS = {"budget": _budgeted, "launch": _fitting}
