"""From kernels to their launches and back, and the kernels of a document as its symbols."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.features.answers import Spot, Symbol
from occupancy_lsp.features.hints import told_of
from occupancy_lsp.session.view import View
from occupancy_lsp.source.syntax.known_value import Place


def symbols(view: View) -> Iterator[Symbol]:
    """Each kernel, with what its hint says."""
    for index, report in enumerate(view.reports):
        kernel = report.kernel
        if view.source.holds(kernel.head):
            first, last = view.span(kernel.name_place)
            start, end = view.span(kernel.head)[0], view.span(view.source.body_of(kernel))[1]
            yield Symbol(kernel.qualified, told_of(view, index) or "", min(start, first), max(end, last), first, last)


def definitions(view: View, offset: int) -> Iterator[Spot]:
    """Of the kernels of this text that are launched there."""
    for report in view.reports:
        if any(_holds(view, place, offset) for it in report.launches for place in (it.launch.target, it.launch.place)):
            yield Spot(*view.span(report.kernel.name_place))


def references(view: View, offset: int, declaration: bool) -> Iterator[Spot]:
    """Where the kernel that is named or launched there is launched, in other files as well; `declaration`: and where
    it is defined."""
    for report in view.reports:
        name = report.kernel.name_place
        targets = dict.fromkeys(_target(view, it.launch.target, it.launch.place) for it in report.launches)
        targets.pop(view.span(name), None)  # in Python a kernel may say itself how it is launched
        around = (place for it in report.launches for place in (it.launch.target, it.launch.place))
        if not any(_holds(view, place, offset) for place in (name, *around)):
            continue
        if declaration:
            yield Spot(*view.span(name))
        yield from (Spot(*it) for it in targets)
        if not view.passages:  # else its own document is told of as another file
            far = dict.fromkeys((it.path, it.line) for it in report.far if not it.unread)
            yield from (Spot(0, 0, path, line - 1) for path, line in far)


def _target(view: View, target: Place, place: Place) -> tuple[int, int]:
    """The kernel's name in a launch; of one that is named elsewhere, the launch."""
    start, end = view.span(target)
    return (start, end) if start < end else view.span(place)


def _holds(view: View, place: Place, offset: int) -> bool:
    start, end = view.span(place)
    return start <= offset <= end
