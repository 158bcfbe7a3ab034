"""Trying other bounds on a kernel: when it is offered, what is offered of what came of it, and how it is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.edits.ladder.rows import Rung, basis_of, improves, preferred, rungs
from occupancy_lsp.edits.ladder.steps import may_help, possible, worth_trying
from occupancy_lsp.edits.resize.launched import EditContext, Refused
from occupancy_lsp.features.answers import Action
from occupancy_lsp.features.applying import edits_in
from occupancy_lsp.features.ladder import HEADINGS, cells, head_text, step_title
from occupancy_lsp.features.prose import Bold, Prose, Table
from occupancy_lsp.session.compilations import can_compile
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.trials import Trial, trial
from occupancy_lsp.session.view import View, lacks_count
from occupancy_lsp.workspace.walk import is_unit

# What it uses says which bounds these are.
_WITHOUT_COUNTS = "Try other bounds: compile the kernel as it is, then with those that may help"


def kernels_at(view: View, said: str | int) -> list[str]:
    """By its qualified name, or by a line of it, counted from 0."""
    return [it.kernel.qualified for it in view.reports if said == it.kernel.qualified or said in _lines(view, it)][:1]


def _lines(view: View, report: KernelReport) -> range:
    first, last = view.span(report.kernel.head)[0], view.span(view.source.body_of(report.kernel))[1]
    return range(view.text.line_of(first), view.text.line_of(last) + 1)


def begun(view: View, project: Project, kernel: str, context: EditContext) -> Trial | str:
    """What compiles the steps; or why there is nothing to compile."""
    index = next(_indices(view, kernel), None)
    if index is None:
        return "the file has no such kernel any more"
    made = trial(view, project, index, context)
    return made.reason if isinstance(made, Refused) else made


def told(kernel: str, made: Trial | str, view: View | None) -> str:
    """In a sentence, once the compilers are done. `view`: of the file as it stands by now."""
    why = made if isinstance(made, str) else made.why
    if why or isinstance(made, str) or made.ladder is None:
        return f"{kernel}: no other bounds were tried: {why}."
    found = rungs(made.report, made.ladder)
    best = preferred(found)
    shown = any(ladder_table(view, at) for at in _indices(view, kernel)) if view is not None else False
    where = " The hover on its name has all that were tried." if shown else ""
    if best is not None:
        return f"{kernel}: {step_title(found[0], best)}.{where}"
    if not any(improves(found[0], it) for it in found[1:]):
        return f"{kernel}: no other bounds do better."
    return f"{kernel}: no other bounds do better without spills.{where}"


def _indices(view: View, kernel: str) -> Iterator[int]:
    return (at for at, it in enumerate(view.reports) if it.kernel.qualified == kernel)


def tried(view: View, index: int) -> tuple[Rung, ...]:
    """What is known of the kernel as it stands; none: nothing, or of another text, or launched otherwise."""
    report = view.reports[index]
    about = report.kernel.qualified, report.arch.id
    ladder = next((it for it in view.ladders if (it.kernel, it.arch) == about), None)
    if ladder is None or ladder.basis != basis_of(report, view.source.kernel_fingerprint(report.kernel)):
        return ()
    return rungs(report, ladder)


def ladder_table(view: View, index: int) -> Prose:
    """For the hover: the best without spills stands out."""
    found = tried(view, index)
    if len(found) < 2:
        return ()
    best = preferred(found)
    rows = [cells(it, it is found[0]) for it in found]
    shown = [tuple(map(Bold, row)) if it is best else row for it, row in zip(found, rows, strict=True)]
    compiled = all(it.row.usages for it in found)
    return "With other bounds, as compiled:" if compiled else "With other bounds, at least:", Table(
        HEADINGS, tuple(shown)
    )


def table_of(view: View, kernel: str) -> Prose:
    """All that was tried of the kernel of this name; empty: nothing that holds of the text as it stands."""
    return next((found for at in _indices(view, kernel) if (found := ladder_table(view, at))), ())


def best_of(view: View, context: EditContext, kernel: str) -> Action | None:
    """The edit that gives the most occupancy without spills; None: none does better."""
    made = (it for at in _indices(view, kernel) for it in offers(view, context, at))
    return next((it for it in made if it.preferred and it.edits), None)


def offers(view: View, context: EditContext, index: int) -> Iterator[Action]:
    """To try other bounds; once they are, each that gives more occupancy or fewer spills. Sizes are offered apart."""
    found = tried(view, index)
    best = preferred(found) if found else None
    steps = possible(context, index) if found else ()
    # A launch that came to light since may forbid bounds.
    allowed = {} if isinstance(steps, Refused) else {it.head: it.edits for it in steps}
    for it in (it for it in found[1:] if not it.row.step.size):
        edits = allowed.get(it.row.head, ())
        if edits and improves(found[0], it):
            key = f"try:{index}:{head_text(it.row.head)}"
            made = edits_in(view, edits)
            yield Action(step_title(found[0], it), "refactor.rewrite", key, preferred=it is best, edits=made)
    forbidden = len(found) > 1 and not any(it.row.step.size or it.row.head in allowed for it in found[1:])
    if (not found or forbidden) and (title := trying(view, context, index)):
        name = view.reports[index].kernel.qualified
        yield Action(title, "refactor.rewrite", f"try:{index}", command=("occupancy.tryBounds", (name,)), of_file=True)


def trying(view: View, context: EditContext, index: int) -> str:
    """ "": there is nothing to try that is known to be worth it."""
    report = view.reports[index]
    if view.path is None or not is_unit(view.path) or not can_compile(report.language, report.device):
        return ""
    steps = possible(context, index)
    if isinstance(steps, Refused):
        return ""
    if lacks_count(report):
        return _WITHOUT_COUNTS if may_help(steps, report) else ""
    spills = report.registers.spills
    wanted = worth_trying(steps, report, spills.highest if spills else 0)
    return _title([head_text(it.head) for it in wanted]) if wanted else ""


def why_not(view: View, context: EditContext, index: int) -> str:
    """Why there are no bounds with which the kernel keeps a budget."""
    report = view.reports[index]
    if view.path is None or not is_unit(view.path):
        return "bounds are tried only in a file that is compiled by itself"
    if not can_compile(report.language, report.device):
        return f"no compiler that is known compiles it for {report.device.name}"
    steps = possible(context, index)
    if isinstance(steps, Refused):
        return f"bounds: {steps.reason}"
    return f"no other bounds {'that were tried keep it without spills' if tried(view, index) else 'can keep it'}"


def _title(heads: Sequence[str]) -> str:
    if len(heads) == 1:
        return f"Try bounds {heads[0]}: compile the kernel with them"
    return f"Try {len(heads)} other bounds, {heads[0]} to {heads[-1]}: compile the kernel with each"
