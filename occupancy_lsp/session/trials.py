"""One kernel compiled under one head after another: what to compile next, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.counts.names import same_kernel
from occupancy_lsp.counts.usage import Reading, Usage
from occupancy_lsp.edits.ladder.rows import Ladder, Row, as_tried, basis_of
from occupancy_lsp.edits.ladder.steps import Step, possible, sizes, unchanged, worth_trying
from occupancy_lsp.edits.resize.launched import EditContext, Refused
from occupancy_lsp.session.compilations import Compilation, can_compile, compilation
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View, lacks_count
from occupancy_lsp.workspace.walk import is_unit


@dataclass(frozen=True, slots=True)
class _Text:
    """A step, and the file as it is with it."""

    step: Step
    content: bytes


class Trial:
    """Of the kernel at `index`. Iterating gives what to compile; `take` its answer before the next is asked for.

    First the kernel as it stands, alone or with its whole file; what it uses says which steps are worth compiling.
    `ladder` None: nothing came of it, and `why` says so.
    """

    def __init__(self, view: View, project: Project, index: int, steps: Sequence[Step]) -> None:
        assert view.path is not None
        self.report: KernelReport = view.reports[index]
        self.ladder: Ladder | None = None
        self.why = ""
        self._name = self.report.kernel.qualified
        facts = view.facts
        self._plan = compilation(view.path, view.source.dialect, self.report.device, project, facts)
        self._fingerprint = view.source.kernel_fingerprint(self.report.kernel)
        self._build = project.build
        self._texts = [_Text(it, _edited(view, it)) for it in steps]
        self._reading = Reading()

    def __iter__(self) -> Iterator[Compilation]:
        base = self._texts[0]
        only = frozenset({self._name})
        for chosen in (only, frozenset[str]()):
            prints = {self._name: self._fingerprint} if chosen and lacks_count(self.report) else {}
            yield replace(self._plan, text=base.content, only=chosen, fingerprints=prints)
            if self._counts():
                only = chosen
                break
        rows = [Row(base.step, self._counts())]
        steps = [it.step for it in self._texts]
        if not rows[0].usages:
            said = self._reading.problems
            self.why = said[0].message if said else "not compiled: no count of this kernel came of it"
            self.ladder = self._without_compiler(steps)
            return
        wanted = worth_trying(steps, as_tried(self.report, rows[0]), rows[0].spilled)
        for text in (it for it in self._texts if it.step in wanted):
            yield replace(self._plan, text=text.content, only=only)
            rows.append(self._row(text.step))
        self.ladder = self._of(rows)

    def _of(self, rows: Sequence[Row]) -> Ladder:
        basis = basis_of(self.report, self._fingerprint)
        return Ladder(self._name, self.report.arch.id, basis, self._build, tuple(rows))

    def _without_compiler(self, steps: Sequence[Step]) -> Ladder | None:
        """What holds whatever a compiler does, beside a count that is known of the kernel as it stands."""
        known = tuple(it.usage for it in self.report.counted if it.freshness == "fresh")
        now = Row(steps[0], known)
        wanted = worth_trying(steps, self.report, now.spilled) if known else []
        return self._of([now, *map(Row, wanted)]) if wanted else None

    def take(self, reading: Reading) -> None:
        self._reading = reading

    def _row(self, step: Step) -> Row:
        usages, said = self._counts(), self._reading.problems
        return Row(step, usages, "" if usages else said[0].message if said else "not compiled")

    def _counts(self) -> tuple[Usage, ...]:
        return tuple(it for it in self._reading.usages if same_kernel(it.kernel, self._name))


def trial(view: View, project: Project, index: int, context: EditContext) -> Trial | Refused:
    """What compiles its steps, if anything can. Starts nothing."""
    report = view.reports[index]
    if view.path is None or not is_unit(view.path):
        return Refused("it stands in a header: a step is compiled with the source alone")
    if not can_compile(view.source.dialect.name, report.device):
        return Refused(f"no compiler here tells what {view.source.dialect.name} uses on {report.device.name}")
    steps, others = possible(context, index), sizes(context, index)
    if isinstance(steps, Refused):
        return Trial(view, project, index, [unchanged(report), *others]) if others else steps
    every = [*steps, *others]
    return Trial(view, project, index, every) if len(every) > 1 else Refused("no other bounds change its registers")


def _edited(view: View, step: Step) -> bytes:
    content = view.text.content
    for place, new in sorted(step.edits, key=lambda it: view.span(it[0]), reverse=True):
        start, end = view.span(place)
        content = content[:start] + new.encode() + content[end:]
    return content
