"""Inlay hints: one per kernel at the end of its signature line, and one per line of launches whose figure differs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from occupancy_lsp.analysis.report import Figure, KernelReport, LaunchReport, report_of_far
from occupancy_lsp.analysis.together import by_place, launch_at, together
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.features.answers import Hint
from occupancy_lsp.features.hint_label import LONGEST, Label
from occupancy_lsp.features.labels import figure_label, kernel_label, matrix_label, size_wanted
from occupancy_lsp.features.prose import Prose
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.kernels.literals_and_names_in_code import without_comments
from occupancy_lsp.source.syntax.known_value import Place

_T = TypeVar("_T")


def hints(view: View, start: int, end: int, room: int = LONGEST) -> list[Hint]:
    """The hints between two offsets, in order. `room`: characters for several devices; beyond, the first alone."""
    if not view.reports:
        return []
    kernels = _between(view, view.facts.kernels, lambda it: it.item, start, end)
    launches = _between(view, view.facts.launches, lambda it: it.place.item, start, end)
    names = {view.facts.launches[index].name for index in launches} & view.launched.keys()
    launched = sorted(index for name in names for index in view.launched[name])
    near = [*_at_kernels(view, kernels, start, end, room), *_at_launches(view, launched, start, end)]
    around = _at_launches_around(view, start, end) if view.passages else ()
    return sorted((*near, *around), key=lambda hint: hint.offset)


def _between(view: View, several: Sequence[_T], item: Callable[[_T], int], start: int, end: int) -> range:
    """Indices of those, in the order of the file, in the items that hold some of the text between two offsets."""

    def index(it: _T) -> int:
        return view.source.index_of(item(it))

    first = bisect_left(several, view.source.index_at(start), key=index)
    return range(first, bisect_right(several, view.source.index_at(end), first, key=index))


def _at_kernels(view: View, kernels: range, start: int, end: int, room: int) -> Iterator[Hint]:
    places = [view.reports[index].kernel.name_place for index in kernels]
    # Inclusions and macros make several kernels of one text.
    names = _names_at(view, kernels) if len({*places}) < len(places) else {}
    for index in kernels:
        report = view.reports[index]
        at = signature_end(view, report)
        if start <= at <= end and (label := _label(view, index, room)):
            if len(alike := names.get(report.kernel.name_place, ())) > 1:
                kernel = report.kernel
                label = f"{kernel.qualified if alike.count(kernel.name) > 1 else kernel.name}: {label}"
            yield Hint(view.text.end_of_line(at), label, f"kernel:{index}")


def _names_at(view: View, kernels: range) -> dict[Place, list[str]]:
    """What the kernels are called whose names stand at each place."""
    found: dict[Place, list[str]] = {}
    for index in kernels:
        kernel = view.reports[index].kernel
        found.setdefault(kernel.name_place, []).append(kernel.name)
    return found


def signature_end(view: View, report: KernelReport) -> int:
    """Where the parameters close: no hint stands between them."""
    name, body = view.span(report.kernel.name_place)[1], view.span(report.kernel.body)[0]
    head = view.text.content[name:body]
    return name + report.beside.ask(("head", head), lambda: max(without_comments(head).rfind(b")"), 0))


def _at_launches(view: View, kernels: Sequence[int], start: int, end: int) -> Iterator[Hint]:
    """One at the end of each line with launches."""
    found: list[Hint] = []
    for index in kernels:
        for order, launch, label, figure in _launch_labels(view.reports[index]):
            if _is_wanted(label, view.settings):
                at = view.text.end_of_line(view.span(launch.place)[1])
                found.append(Hint(at, _worded(label, figure, view.settings), f"launch:{index}:{order}"))
    return _of_lines(it for it in found if start <= it.offset <= end)


def _at_launches_around(view: View, start: int, end: int) -> Iterator[Hint]:
    """The same of launches in the document that holds the text."""
    found: list[Hint] = []
    for index, report in enumerate(view.reports):
        for order, label, figure in _far_labels(report):
            if _is_wanted(label, view.settings):
                at = view.text.line_end(report.far[order].line - 1)
                found.append(Hint(at, _worded(label, figure, view.settings), f"around:{index}:{order}"))
    return _of_lines(it for it in found if start <= it.offset <= end)


def _of_lines(hints: Iterable[Hint]) -> Iterator[Hint]:
    lines: dict[int, list[Hint]] = {}
    for it in hints:
        lines.setdefault(it.offset, []).append(it)
    for at, told in lines.items():
        labels = dict.fromkeys(it.label for it in told)
        fitting = next(" | ".join([*labels][:count]) for count in range(len(labels), 0, -1) if _fits([*labels][:count]))
        yield Hint(at, fitting, told[0].key)


def _fits(labels: Sequence[str]) -> bool:
    return len(labels) == 1 or len(" | ".join(labels)) <= LONGEST


_LaunchLabels = tuple[tuple[int, KernelLaunch, Label, Figure], ...]


def _launch_labels(report: KernelReport) -> _LaunchLabels:
    """Of each launch that has a figure of its own: the order of its first instance, and what is told of all."""

    def found() -> Iterator[tuple[int, KernelLaunch, Label, Figure]]:
        own = label_of(report)
        for orders in by_place(report).values():
            launch = together([report.launches[order] for order in orders])
            yield from ((orders[0], launch.launch, *it) for it in _label_apart(report, launch, own))

    return report.beside.ask("launch labels", lambda: tuple(found()))


def _far_labels(report: KernelReport) -> tuple[tuple[int, Label, Figure], ...]:
    """Of each launch in another text that has a figure of its own: its order, and what is told."""

    def found() -> Iterator[tuple[int, Label, Figure]]:
        own = label_of(report)
        for order, far in enumerate(report.far):
            yield from ((order, *it) for it in _label_apart(report, report_of_far(report, far), own))

    return report.beside.ask("far labels", lambda: tuple(found()))


def _label_apart(report: KernelReport, launch: LaunchReport, own: Label | None) -> Iterator[tuple[Label, Figure]]:
    """What is told of a launch beside the kernel's own label, if it is anything else."""
    # A lambda that is a kernel stands in its only launch: what differs are the function's instances.
    if not launch.differs or launch.figure is None or launch.launch.own is not None:
        return
    label = attempt(partial(figure_label, report, launch, launch.figure))
    if not isinstance(label, Defect) and (own is None or label.said != own.said):
        yield label, launch.figure


def kernel_of(hint: Hint) -> int | None:
    """The index of the kernel whose own hint it is; None: it is of a launch."""
    kind, _, number = (hint.key or "").partition(":")
    return int(number) if kind == "kernel" else None


def tooltip(view: View, key: str) -> Prose | None:
    """The prose behind a hint; None if the document has moved on."""
    from occupancy_lsp.features.explain import explain  # with all that a hover says, which hints need not wait for

    kind, *numbers = key.split(":")
    try:
        index, *rest = (int(number) for number in numbers)
        if kind == "launch":
            return explain(view, index, launch_at(view.reports[index], rest[0]))
        if kind == "around":
            report = view.reports[index]
            return explain(view, index, report_of_far(report, report.far[rest[0]]))
        return explain(view, index) if kind == "kernel" else None
    except (IndexError, ValueError):
        return None


def ahead(view: View, key: str) -> Iterator[None]:
    """Read at each step a little of the other files that the prose behind a hint is about, for later."""
    from occupancy_lsp.features.explain import ahead as explain_ahead

    kind, _, numbers = key.partition(":")
    index = numbers.partition(":")[0]
    if kind == "kernel" and index.isdecimal() and int(index) < len(view.reports):
        yield from explain_ahead(view, int(index))


def told_of(view: View, index: int) -> str | None:
    """What the hint at a kernel says, whatever hints the user wants; None: nothing."""
    report = view.reports[index]
    label = label_of(report)
    return _said(report, label, view.settings) if label is not None else None


def _label(view: View, index: int, room: int) -> str | None:
    """Several devices chosen by the user stand side by side if there is room."""
    report = view.reports[index]
    label = label_of(report)
    if not _is_wanted(label, view.settings):
        return None
    if label is None:
        always = view.settings.hints_for_unknown == "always" and not report.defect and report.figure is None
        return size_wanted(report) if always else None
    if not view.others or not view.chosen:
        return _with_earlier(view, index, _said(report, label, view.settings))
    cells = [(row[index].device, label_of(row[index])) for row in (view.reports, *view.others)]
    named = matrix_label([(device, it) for device, it in cells if it], room)
    return named or _said(report, label, view.settings)


def _with_earlier(view: View, index: int, text: str) -> str:
    """With what the kernel had in the last commit, where that was something else, and both are certain."""
    report = view.reports[index]
    now = report.certain if view.earlier else None
    if now is None:
        return text
    name, words = report.kernel.qualified, report.device.nouns
    order = sum(it.qualified == name for it in view.facts.kernels[:index])
    was = view.earlier.get((name, order, report.arch.id))
    if was is None or was == (now.groups, now.percent):
        return text
    said = f"was {was[0]} {words.group_short}" if was[0] != now.groups else f"was {percent_text(was[1])}"
    parts = text.split(" · ")
    forms = (" · ".join((*parts[:count], said)) for count in range(len(parts), 0, -1))
    return next((it for it in forms if len(it) <= LONGEST), text)


def _is_wanted(label: Label | None, settings: Settings) -> bool:
    return label is None or not label.conditional or settings.hints_for_unknown != "never"


def _said(report: KernelReport, label: Label, settings: Settings) -> str:
    return report.beside.ask(("said", settings.verbosity), lambda: _worded(label, report.figure, settings))


def _worded(label: Label, figure: Figure | None, settings: Settings) -> str:
    """As much as the user wants to read."""
    if settings.verbosity == "normal":
        return label.text
    if settings.verbosity == "short":
        return label.short
    if figure is None:
        return label.whole
    return f"{label.whole} · {'estimated' if label.estimated else figure.source}"


def label_of(report: KernelReport) -> Label | None:
    """A report is made anew when its kernel's text changes; the others on the screen stay."""
    label = report.beside.ask("label", lambda: attempt(lambda: kernel_label(report)))
    return None if isinstance(label, Defect) else label
