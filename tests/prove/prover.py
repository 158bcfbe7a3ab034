"""Every offered edit of a source applied, compiled before and after, and held against what it promised."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.edits.resize import resizes
from occupancy_lsp.edits.resize.launched import Refused
from occupancy_lsp.features.actions import edit_context
from occupancy_lsp.features.answers import Action
from occupancy_lsp.features.diagnostics import rule_findings
from occupancy_lsp.session.view import View

from .bench import Bench, InCheckout, Texts, applied, edits
from .hosts import launched_otherwise
from .promises import Seen, broken, disproved, is_as_before, moved, spilled

AS_WRITTEN = "as written"
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
    in_vain: bool = False  # offered with counts known, for no finding, and the compiled kernel is as before

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


def prove(source: Path, device: str) -> Iterator[Result]:
    """Offers are taken as the text is typed, and once more when the compiler's counts are known."""
    with TemporaryDirectory(prefix="occupancy-prove-") as folder:
        yield from proved_at(Bench.of(source, device, Path(folder)), source)


def proved_at(bench: Bench, source: Path) -> Iterator[Result]:
    """`source`: what the bench's file is told of as."""
    view = bench.view()
    if view is None or view.device is None or view.device.vendor not in _COMPILED_FOR[view.source.dialect.name]:
        return
    counts = bench.compiled(view)
    if not counts.usages or (counts.problems and not isinstance(bench, InCheckout)):
        yield NotCompiled(source, bench.device, str(next(iter(counts.problems), "nothing of it is counted")))
        return
    yield from _not_offered(source, view)
    yield from _Proof(source, bench, view, counts).of_all()


def _not_offered(source: Path, view: View) -> Iterator[NotOffered]:
    context = edit_context(view, {})
    for index, report in enumerate(view.reports):
        found = resizes(context, index)
        if not found or isinstance(found, Refused):
            reason = found.reason if isinstance(found, Refused) else "no size that its code surely supports does better"
            line = view.text.line_of(view.span(report.kernel.name_place)[0]) + 1
            yield NotOffered(source, line, report.language, report.device.id, reason)


class _Proof:
    def __init__(self, source: Path, bench: Bench, typed: View, counts: Reading) -> None:
        self.source, self.bench, self.typed, self.counts = source, bench, typed, counts
        self.known: dict[frozenset[tuple[Path, bytes]], tuple[View | None, Reading, View | None]] = {}
        self.launches = bench.ran()

    def of_all(self) -> Iterator[Applied]:
        counted = self.bench.view(self.counts)
        assert counted is not None
        self.counted = counted
        yield from self.as_written(counted)
        done: set[tuple[frozenset[tuple[Path, bytes]], str]] = set()
        for view in (self.typed, counted):
            for action in edits(view):
                edited = applied(self.bench, action)
                if (key := (frozenset(edited.items()), action.title)) not in done and self.bench.owns(edited):
                    done.add(key)
                    yield self.of(view, action, edited)
        self.bench.write({})

    def as_written(self, counted: View) -> Iterator[Applied]:
        """The text's own promises, before any edit."""
        for text, now in zip(self.typed.reports, counted.reports, strict=True):
            line = self.typed.text.line_of(self.typed.span(text.kernel.name_place)[0]) + 1
            faults = tuple(disproved(Seen(text, now))) if now.counted else None
            yield Applied(self.source, line, text.language, text.device.id, AS_WRITTEN, AS_WRITTEN, True, faults)

    def of(self, view: View, action: Action, edited: Texts) -> Applied:
        index = _kernel(view, action)
        report = view.reports[index]
        line = view.text.line_of(view.span(report.kernel.name_place)[0]) + 1
        compiled, faults = self.faults(index, action, edited)
        after = self.known[frozenset(edited.items())][2]
        tuned = view is self.counted and action.code is None
        vain = tuned and after is not None and index < len(after.reports)
        return Applied(
            self.source,
            line,
            report.language,
            report.device.id,
            action.code or action.key.partition(":")[0],
            action.title,
            compiled,
            faults,
            vain and after is not None and is_as_before(self.counted.reports[index], after.reports[index]),
        )

    def faults(self, index: int, action: Action, edited: Texts) -> tuple[bool, tuple[str, ...] | None]:
        """Whether it compiles, and what is broken."""
        self.bench.write(edited)
        key = frozenset(edited.items())
        if key not in self.known:
            text = self.bench.view()
            reading = self.bench.compiled(text or self.typed)
            self.known[key] = text, reading, self.bench.view(reading)
        text, reading, after = self.known[key]
        if len(reading.problems) > len(self.counts.problems):  # a stranger's file may have had some before
            return False, (str(reading.problems[-1]),)
        broken_too = [it for path in edited for it in self.not_compiled(path)]
        if broken_too:
            return False, tuple(broken_too)
        if text is None or after is None or index >= len(after.reports):
            return True, ("the edited text is not read",)
        if not after.reports[index].counted:
            return True, None
        seen = Seen(text.reports[index], after.reports[index])
        others = [Seen(*both) for both in zip(text.reports, after.reports, strict=True)]
        faults = (
            *self.lost(reading),
            *disproved(seen),
            *spilled(action.title, self.counted.reports[index], after.reports[index]),
            *broken(action.title, seen, others),
            *moved(self.typed, text, index, action.title),
            *launched_otherwise(action.title, seen.text.kernel.name, self.launches, self.bench.ran()),
        )
        return True, faults

    def not_compiled(self, path: Path) -> Iterator[str]:
        """Of another file that an edit changes; hosts of OpenCL are run."""
        if path != self.bench.path and path.suffix in (".cu", ".hip"):
            yield from map(str, replace(self.bench, path=path).compiled(self.typed).problems)

    def lost(self, reading: Reading) -> Iterator[str]:
        if len(reading.usages) != len(self.counts.usages):
            yield f"{len(self.counts.usages)} kernels compiled before, {len(reading.usages)} after"


def _kernel(view: View, action: Action) -> int:
    kind, *rest = action.key.split(":")
    if kind != "fix":
        return int(rest[0])
    report = rule_findings(view)[int(rest[1])][1]
    return next(index for index, it in enumerate(view.reports) if it is report)
