"""Diagnostics: what the rules find, less what the settings, directives and the kernel's intent silence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.sequences import InStep
from occupancy_lsp.features.answers import Diagnostic, Related
from occupancy_lsp.rules import Rule, nothing, occupancy_directive
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import deliberate
from occupancy_lsp.rules.registry import RULES
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.incremental.kernel_text import DirectiveAt
from occupancy_lsp.source.lower.annotation_comments import IgnoreRule
from occupancy_lsp.source.syntax.known_value import Place

_OF_KERNELS = tuple(rule for rule in RULES if rule.check is not nothing)
_OF_VIEWS = tuple(rule for rule in RULES if rule.check_view is not nothing)
_BY_CODE = {rule.code: rule for rule in RULES}

_Raw = tuple[Rule, KernelReport, Finding]


@dataclass(frozen=True, slots=True)
class _Judgement:
    """What the rules find in one kernel, and those that ask the rest of the file about it.

    `found`: advice among it, whatever the text says of the design. `failed`: some could not tell, for a defect of ours.
    """

    settings: Settings
    found: tuple[_Raw, ...]
    asking: tuple[Rule, ...]
    failed: bool


def diagnostics(view: View) -> list[Diagnostic]:
    """In the order in which they stand."""
    return [it.said for it in judged(view)]


@dataclass(frozen=True, slots=True)
class Judged:
    """What is said of a finding, the kernel that it is about, None for a directive, and the finding itself."""

    said: Diagnostic
    report: KernelReport | None
    finding: Finding


def judged(view: View) -> list[Judged]:
    """In the order in which they stand."""
    raw = _raw(view)
    found = [Judged(_diagnostic(view, rule, finding), report, finding) for rule, report, finding in _left(view, raw)]
    of_directives = ((_diagnostic(view, occupancy_directive.RULE, it), it) for it in _remarks(view, raw))
    found += [Judged(said, None, finding) for said, finding in of_directives]
    return sorted(_of_all_kernels(found), key=lambda it: (it.said.start, it.said.end, it.said.code))


def _of_all_kernels(found: Sequence[Judged]) -> Iterable[Judged]:
    """A launch that may be of several kernels is told of once, with what is related in any of them."""
    told: dict[tuple[int, int, str, str], Judged] = {}
    for it in found:
        said = it.said
        first = told.setdefault((said.start, said.end, said.code, said.message), it)
        if first is not it:
            related = tuple(dict.fromkeys((*first.said.related, *said.related)))
            told[said.start, said.end, said.code, said.message] = replace(
                first, said=replace(first.said, related=related)
            )
    return told.values()


def rule_findings(view: View) -> list[_Raw]:
    """What the diagnostics show of kernels, with the fixes."""
    return view.beside.ask("rule findings", lambda: _left(view, _raw(view)))


def directive_findings(view: View) -> list[Finding]:
    """What the diagnostics show of directives, with the fixes."""
    return view.beside.ask("directive findings", lambda: [*_remarks(view, _raw(view))])


def _diagnostic(view: View, rule: Rule, finding: Finding) -> Diagnostic:
    severity = view.settings.rules.get(rule.code) or finding.severity or rule.severity
    assert severity != "off"
    here = [note for note in finding.notes if view.source.holds(note.place)]  # not what stands in a header
    related = tuple(Related(*view.span(note.place), note.message) for note in here)
    return Diagnostic(*view.span(finding.place), severity, rule.code, finding.message, related, finding.unnecessary)


def _raw(view: View) -> list[_Raw]:
    """All that the rules find, before anything is silenced."""
    return view.beside.ask("findings", lambda: _all_found(view))


def _all_found(view: View) -> list[_Raw]:
    each = view.lasting.ask("judgements", lambda: InStep(2))
    by_kernel, asked = each.follow(partial(_findings, view), view.reports, given=view.settings)
    found = _wanted(view, chain.from_iterable(by_kernel))
    asking: dict[str, list[KernelReport]] = {rule.code: [] for rule in _OF_VIEWS}
    for rule, report in chain.from_iterable(asked):
        asking[rule.code].append(report)
    for rule in _OF_VIEWS:
        for report in asking[rule.code]:
            found += _found(rule, report, partial(rule.check_view, view, report)) or ()
    return found


def _wanted(view: View, found: Iterable[_Raw]) -> list[_Raw]:
    """Without advice where the kernel's text or its launches tell of a design for which it is noise."""
    meant: dict[int, bool] = {}  # a kernel may have as much advice as launches

    def deliberately(report: KernelReport) -> bool:
        if id(report) not in meant:
            meant[id(report)] = deliberate(view, report)
        return meant[id(report)]

    return [it for it in found if not (it[0].advice and deliberately(it[1]))]


def _findings(view: View, report: KernelReport) -> tuple[tuple[_Raw, ...], tuple[tuple[Rule, KernelReport], ...]]:
    """Those of one kernel, and the rules that ask the rest of the file about it."""
    judged = _judgement(view, report)
    return judged.found, tuple((rule, report) for rule in judged.asking)


def _found(rule: Rule, report: KernelReport, check: Callable[[], Iterable[Finding]]) -> list[_Raw] | None:
    """None: a defect of ours keeps the rule from telling."""
    found = attempt(lambda: [(rule, report, finding) for finding in _once(check())])
    return None if isinstance(found, Defect) else found


def _once(found: Iterable[Finding]) -> Iterable[Finding]:
    """A launch in a template is one for each instance around it, which mostly say the same."""
    return dict.fromkeys(found)


def ahead(view: View) -> Iterator[None]:
    """Judge one kernel at each step, and keep it."""
    for report in view.reports:
        _judgement(view, report)
        yield


def _judgement(view: View, report: KernelReport) -> _Judgement:
    """A report is made anew when its kernel's text changes."""
    # The identity of the settings is theirs alone as long as the answer holds them.
    return report.beside.ask(("judgement", id(view.settings)), lambda: _judge(view, report))


def _judge(view: View, report: KernelReport) -> _Judgement:
    by_rule = {} if report.defect else {rule: _found(rule, report, partial(rule.check, report)) for rule in _OF_KERNELS}
    found = [it for several in by_rule.values() for it in several or ()]
    of_views = () if report.defect else _OF_VIEWS
    concerned = {it: attempt(partial(it.concerns, view.settings, report)) for it in of_views}
    asking = tuple(rule for rule, does in concerned.items() if does is True)
    broken = None in by_rule.values() or any(isinstance(it, Defect) for it in concerned.values())
    return _Judgement(view.settings, tuple(found), asking, report.defect is not None or broken)


def _left(view: View, raw: list[_Raw]) -> list[_Raw]:
    off = {code for code, severity in view.settings.rules.items() if severity == "off"}
    found = [it for it in raw if it[0].code not in off and not (it[0].advice and it[1].intended)]
    return [it for it in _without_echoes(found) if not any(_ignores(view, it))]


def _without_echoes(found: list[_Raw]) -> list[_Raw]:
    """One finding per kernel and cause."""
    hidden = {
        (code, id(report), place)
        for rule, report, finding in found
        for codes, place in (
            (rule.hides_at_place, finding.place),
            (rule.hides_in_kernel, None),
        )
        for code in codes
    }

    def shows(rule: Rule, report: KernelReport, finding: Finding) -> bool:
        return not hidden or not {(rule.code, id(report), finding.place), (rule.code, id(report), None)} & hidden

    return [it for it in found if shows(*it)]


def _ignores(view: View, found: _Raw) -> Iterator[DirectiveAt]:
    """The directives that silence a finding."""
    rule, report, _ = found
    for said in (*report.directives, *view.facts.file_directives):  # mostly none
        if isinstance(said.directive, IgnoreRule) and rule.code in said.directive.codes:
            yield said


def _remarks(view: View, raw: list[_Raw]) -> Iterator[Finding]:
    facts = view.facts
    if view.settings.rules.get(occupancy_directive.RULE.code) == "off":
        return
    if not (any(facts.directives) or facts.file_directives or facts.stray_directives):
        return
    used = {(said.place, it[0].code) for it in raw for said in _ignores(view, it)}
    advised = {id(report) for rule, report, _ in raw if rule.advice}

    def useless(said: DirectiveAt, code: str) -> bool:
        return (said.place, code) not in used and not _may_find(view, said, code)

    def needless(report: KernelReport) -> bool:
        return id(report) not in advised and _never_advised(view, report)

    yield from occupancy_directive.remarks(view, occupancy_directive.Judged(_BY_CODE.__contains__, useless, needless))


def _never_advised(view: View, report: KernelReport) -> bool:
    """Whether the figure is full on every chosen device, by counts, and no rule there has advice."""
    index = _index_of(view, report)
    every = [report, *(row[index] for row in view.others)]
    full = all(it.counted and it.figure and it.figure.exact and it.figure.highest.percent == 100 for it in every)
    return full and not any(rule.advice for it in every[1:] for rule in _telling(view, _judgement(view, it)))


def _index_of(view: View, report: KernelReport) -> int:
    every = view.beside.ask("index of reports", lambda: {id(it): index for index, it in enumerate(view.reports)})
    return every[id(report)]


def _may_find(view: View, said: DirectiveAt, code: str) -> bool:
    """Whether the rule finds something on another of the chosen devices, or would if there were counts."""
    about = range(len(view.reports)) if said in view.facts.file_directives else _directed(view).get(said.place, ())
    rule = _BY_CODE[code]
    if rule.by_user:
        return True
    if rule.needs_counts and any(not view.reports[index].counted for index in about):
        return True
    elsewhere = [_judgement(view, row[index]) for row in view.others for index in about]
    if any(it.failed for it in (*(_judgement(view, view.reports[index]) for index in about), *elsewhere)):
        return True
    return any(code == it.code for found in elsewhere for it in _telling(view, found))


def _directed(view: View) -> Mapping[Place, Sequence[int]]:
    """By the place of a directive, the reports that it is about."""

    def found() -> Mapping[Place, Sequence[int]]:
        by_place: dict[Place, list[int]] = {}
        for index, report in enumerate(view.reports):
            for it in report.directives:
                by_place.setdefault(it.place, []).append(index)
        return by_place

    return view.beside.ask("reports of directives", found)


def _telling(view: View, judged: _Judgement) -> tuple[Rule, ...]:
    """The rules that find something, or may."""
    return (*(rule for rule, _, _ in _wanted(view, judged.found)), *judged.asking)
