"""Every offered edit of a source applied, compiled before and after, and held against what it promised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.counts.names import same_kernel
from occupancy_lsp.counts.usage import Reading, Usage
from occupancy_lsp.edits.resize import resizes
from occupancy_lsp.edits.resize.launched import Refused
from occupancy_lsp.features.actions import edit_context
from occupancy_lsp.features.answers import Action
from occupancy_lsp.features.diagnostics import rule_findings
from occupancy_lsp.session.view import View

from .bench import Bench, Texts, applied, edits
from .checkouts import InCheckout
from .hosts import Ran, launched_otherwise
from .promises import (
    Seen,
    broken,
    disproved,
    drops_ignored,
    fewer,
    heeded,
    is_as_before,
    moved,
    spilled,
    spills_more,
    warned,
    warnings,
)

AS_WRITTEN = "as written"
# On the compiled kernel and its launches; "text": none, but the compiler no longer warns, or what it ignores is gone.
Effect = Literal["changes", "text", "none"]
_FAILING = frozenset({"OCC001", "OCC003", "OCC005", "OCC107"})  # rules of launches that fail
_COMPILED_FOR = {"cuda": ("nvidia",), "hip": ("amd",), "opencl": ("amd", "intel")}


@dataclass(frozen=True, slots=True)
class Applied:
    """One action on one kernel. `faults`: the promises that it broke; None: the compiler emits no such kernel."""

    path: Path
    line: int
    language: str
    device: str
    action: str  # the rule's code, "size", "bounds", or AS_WRITTEN: no edit
    title: str
    compiled: bool
    faults: tuple[str, ...] | None
    effect: Effect = "changes"
    spills_more: bool = False
    counted: bool = False  # offered with counts known

    @property
    def kept(self) -> bool:
        return self.compiled and self.faults == ()


@dataclass(frozen=True, slots=True)
class NotOffered:
    """A kernel of which no other size is offered, and why."""

    path: Path
    line: int
    language: str
    device: str
    reason: str


@dataclass(frozen=True, slots=True)
class NotCompiled:
    """A source that no compiler here takes as it is: nothing can be proved of it."""

    path: Path
    device: str
    why: str


Result = Applied | NotOffered | NotCompiled
_Launches = tuple[Ran, ...] | None


def prove(source: Path, device: str, trying: bool = False) -> Iterator[Result]:
    """Offers are taken as the text is typed, and once more when the compiler's counts are known."""
    with TemporaryDirectory(prefix="occupancy-prove-") as folder:
        yield from proved_at(Bench.of(source, device, Path(folder)), source, trying)


def proved_at(bench: Bench, source: Path, trying: bool = False) -> Iterator[Result]:
    """`source`: what the bench's file is told of as. `trying`: with what *Try other bounds* offers."""
    view = bench.view()
    if view is None or view.device is None or view.device.vendor not in _COMPILED_FOR[view.source.dialect.name]:
        return
    alone = bench.alone(view, _alone(view))
    whole = None if _of_all(alone, view) else bench.compiled(view)
    counts = whole if whole is not None and whole.usages else alone
    if not counts.usages or (counts.problems and not isinstance(bench, InCheckout)):
        yield NotCompiled(source, bench.device, str(next(iter(counts.problems), "nothing of it is counted")))
        return
    yield from _not_offered(source, view)
    yield from _Proof(source, bench, view, counts, whole, trying).of_all()


def _alone(view: View) -> frozenset[str]:
    """Of which kernels something can be counted without the rest of the file."""
    every = (it.kernel for it in view.reports)
    return frozenset(it.qualified for it in every if not it.template or any(made.arguments for made in it.instances))


def _not_offered(source: Path, view: View) -> Iterator[NotOffered]:
    context = edit_context(view, {})
    for index, report in enumerate(view.reports):
        found = resizes(context, index)
        if not found or isinstance(found, Refused):
            reason = found.reason if isinstance(found, Refused) else "no size that its code surely supports does better"
            line = view.text.line_of(view.span(report.kernel.name_place)[0]) + 1
            yield NotOffered(source, line, report.language, report.device.id, reason)


def _of_all(reading: Reading, view: View) -> bool:
    return all(any(same_kernel(it.kernel, report.kernel.qualified) for it in reading.usages) for report in view.reports)


@dataclass(frozen=True, slots=True)
class _Offer:
    """`view`: that it was offered in. `index`: of its kernel. `edited`: what the files say with it."""

    view: View
    index: int
    action: Action
    edited: Texts

    @property
    def key(self) -> frozenset[tuple[Path, bytes]]:
        return frozenset(self.edited.items())

    @property
    def report(self) -> KernelReport:
        return self.view.reports[self.index]

    @property
    def of_head(self) -> bool:
        """Whether nothing else than the kernel's own head is edited."""
        start, end = self.view.span(self.report.kernel.head)
        return all(it.file is None and start <= it.start and it.end <= end for it in self.action.edits)


def _batches(offers: Sequence[_Offer]) -> list[list[_Offer]]:
    """Those that edit the heads of different kernels together; any other alone."""
    found: list[list[_Offer]] = []
    rounds: dict[int, list[_Offer]] = {}
    seen: Counter[int] = Counter()
    for it in offers:
        if it.of_head:
            rounds.setdefault(seen[it.index], []).append(it)
            seen[it.index] += 1
        else:
            found.append([it])
    return [*rounds.values(), *found]


@dataclass(frozen=True, slots=True)
class _Made:
    """What a compiler tells of an edited text, and of the text as it was. `names`: the kernels that it was asked for;
    none: all of them."""

    reading: Reading
    before: Reading
    names: frozenset[str] = frozenset()

    def lost(self) -> Iterator[str]:
        was, now = (sum(map(self.is_meant, it.usages)) for it in (self.before, self.reading))
        if was != now:
            yield f"{was} kernels compiled before, {now} after"

    def is_meant(self, usage: Usage) -> bool:
        return not self.names or any(same_kernel(usage.kernel, it) for it in self.names)


class _Proof:
    def __init__(
        self, source: Path, bench: Bench, typed: View, counts: Reading, whole: Reading | None, trying: bool
    ) -> None:
        self.source, self.bench, self.typed, self.counts = source, bench, typed, counts
        self.uncut = whole  # of the source as it was; None: not compiled yet
        self.known: dict[frozenset[tuple[Path, bytes]], tuple[View | None, _Made, View | None, _Launches]] = {}
        self.launches = bench.ran()
        counted = bench.tried(counts) if trying else bench.view(counts)
        assert counted is not None
        self.counted = counted

    def of_all(self) -> Iterator[Applied]:
        yield from self.as_written(self.counted)
        offers = self.offers()
        for batch in _batches(offers):
            made = self.of_batch(batch)
            if len(batch) > 1 and any(it.faults or not it.compiled for it in made):
                made = [result for it in batch for result in self.of_batch([it])]
            yield from made
        self.bench.write({})

    def offers(self) -> list[_Offer]:
        """Each once, if what it edits is a copy, and of a stranger's kernels those that the compiler emits."""
        found: dict[object, _Offer] = {}
        for view in (self.typed, self.counted):
            for action in edits(view):
                offer = _Offer(view, _kernel(view, action), action, applied(self.bench, action))
                emitted = self.counted.reports[offer.index].counted or not isinstance(self.bench, InCheckout)
                if emitted and self.bench.owns(offer.edited):
                    found.setdefault((offer.key, action.title), offer)
        return [*found.values()]

    def as_written(self, counted: View) -> Iterator[Applied]:
        """The text's own promises, before any edit."""
        for text, now in zip(self.typed.reports, counted.reports, strict=True):
            line = self.typed.text.line_of(self.typed.span(text.kernel.name_place)[0]) + 1
            faults = tuple(disproved(Seen(text, now))) if now.counted else None
            yield Applied(self.source, line, text.language, text.device.id, AS_WRITTEN, AS_WRITTEN, True, faults)

    def of_batch(self, batch: Sequence[_Offer]) -> list[Applied]:
        """Of offers that can be taken together."""
        edited = applied(self.bench, *(it.action for it in batch))
        self.bench.write(edited)
        key = frozenset(edited.items())
        if key not in self.known:
            text = self.bench.view()
            made = self.compiled(text or self.typed, batch)
            self.known[key] = text, made, self.bench.view(made.reading), self.bench.ran()
        text, made, after, ran = self.known[key]
        fault = self.uncompiled(made, edited)
        indices = {it.index for it in batch}
        if fault or text is None or after is None or len(after.reports) != len(self.typed.reports):
            faults = fault or ("the edited text is not read, or other kernels are in it",)
            return [self.result(it, not fault, faults) for it in batch]
        return [self.judged(it, text, made, after, ran, indices) for it in batch]

    def compiled(self, text: View, batch: Sequence[_Offer]) -> _Made:
        """Kernels of which the head alone is edited are compiled alone, where that can be."""
        names = frozenset(it.report.kernel.qualified for it in batch)
        alone = self.bench.alone(text, names) if all(it.of_head for it in batch) else Reading()
        if alone.usages:
            return _Made(alone, self.counts, names)
        edited = self.bench.compiled(text)
        if self.uncut is None:
            with self.bench.as_it_was():
                self.uncut = self.bench.compiled(self.typed)
        return _Made(edited, self.uncut)

    def judged(self, offer: _Offer, text: View, made: _Made, after: View, ran: _Launches, moving: Set[int]) -> Applied:
        title, index = offer.action.title, offer.index
        before, now = self.counted.reports[index], after.reports[index]
        if not now.counted:
            return self.result(offer, True, None)
        seen = Seen(text.reports[index], now)
        told = warnings(made.before, before), warnings(made.reading, now)
        others = [Seen(*both) for both in zip(text.reports, after.reports, strict=True)]
        faults = (
            *made.lost(),
            *disproved(seen),
            *spilled(title, before, now),
            *warned(title, *told),
            *fewer(title, before, now),
            *_still_failing(offer, after),
            *heeded(title, before, now),
            *broken(title, seen, others),
            *moved(self.typed, text, moving, title),
            *launched_otherwise(title, seen.text.kernel.name, self.launches, ran),
        )
        same = offer.action.code not in _FAILING and is_as_before(before, now)
        mended = told[0] - told[1] or drops_ignored(title)
        effect: Effect = "changes" if not same else "text" if mended else "none"
        return replace(self.result(offer, True, faults), effect=effect, spills_more=spills_more(before, now))

    def result(self, offer: _Offer, compiled: bool, faults: tuple[str, ...] | None) -> Applied:
        report, action = offer.report, offer.action
        line = offer.view.text.line_of(offer.view.span(report.kernel.name_place)[0]) + 1
        what = action.code or action.key.partition(":")[0]
        device = report.device.id
        return Applied(
            self.source, line, report.language, device, what, action.title, compiled, faults,
            counted=offer.view is self.counted,
        )  # fmt: skip

    def uncompiled(self, made: _Made, edited: Texts) -> tuple[str, ...]:
        """What does not compile that did before."""
        if len(made.reading.problems) > len(made.before.problems):  # a stranger's file may have had some
            return (str(made.reading.problems[-1]),)
        return tuple(broken_too for path in edited for broken_too in self.not_compiled(path))

    def not_compiled(self, path: Path) -> Iterator[str]:
        """Of another file that an edit changes; hosts of OpenCL are run."""
        if path != self.bench.path and path.suffix in (".cu", ".hip"):
            yield from map(str, replace(self.bench, path=path).compiled(self.typed).problems)


def _still_failing(offer: _Offer, after: View) -> Iterator[str]:
    """Of an edit that lets a launch run."""
    code = offer.action.code
    if code in _FAILING and _reported(after, offer.index, code) >= _reported(offer.view, offer.index, code):
        yield f"{code} is reported as before"


def _reported(view: View, index: int, code: str) -> int:
    return sum(rule.code == code and it is view.reports[index] for rule, it, _ in rule_findings(view))


def _kernel(view: View, action: Action) -> int:
    kind, *rest = action.key.split(":")
    if kind != "fix":
        return int(rest[0])
    report = rule_findings(view)[int(rest[1])][1]
    return next(index for index, it in enumerate(view.reports) if it is report)
