"""Which register counts each kernel got, and which counts no kernel took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.builds.attribution import Unused
from occupancy_lsp.cli.formats.result import nearby, place
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View, too_large

_AGE = {
    "fresh": "",
    "maybe": "; older than the source, so shown as stale: build again",
    "stale": "; the kernel has changed since: build again",
}
_MOST_UNUSED = 8
_MOST_UNREAD = 2
_MOST_ALIKE = 8  # of which the same is told, and nothing else


@dataclass(frozen=True, slots=True)
class _Told:
    """Of a file or a kernel in it. `more`: lines below."""

    file: str
    who: str
    what: str
    said: str
    more: tuple[str, ...] = ()


class Counts:
    def __init__(self) -> None:
        self._told: list[_Told] = []
        self._unread: list[str] = []
        self._hidden: list[str] = []
        self._projects: list[Project] = []
        self._taken: set[Usage] = set()

    def add(self, shown: str, path: Path, content: bytes, project: Project) -> None:
        if project not in self._projects:
            self._projects.append(project)
        with closing(open_file(path, "", Text(content), project, edited=False)) as opened:
            views = opened.views()
            for view in views:
                self._add(shown, view)
        if not views:
            why_not = too_large(content) or "generated, or without kernels"
            self._told.append(_Told(shown, shown, "file", f"not looked at: {why_not}"))

    def _add(self, shown: str, view: View) -> None:
        self._unread += (f"{shown}:{place(view.text, view.span(it)[0])[0]}" for it in view.facts.unread_kernels)
        for what, places in (("kernel", view.facts.hidden_kernels), ("launch", view.facts.hidden_launches)):
            self._hidden += (f"{shown}:{place(view.text, view.span(it)[0])[0]}: {what}" for it in places)
        for report in view.reports:
            line, _ = place(view.text, view.span(report.kernel.name_place)[0])
            who, unused = f"{shown}:{line} {report.kernel.qualified}", report.unused[:_MOST_UNUSED]
            more = tuple(f"  not used: {_unused(it)}" for it in unused)
            self._told.append(_Told(shown, who, "kernel", _registers(report, view.why_uncounted()), more))
            self._taken |= {*(it.usage for it in report.unused), *(it.usage for it in report.counted)}

    def unread(self) -> Iterator[str]:
        """Where kernels stand, as it looks, that could not be read."""
        if self._unread:
            yield "Look like kernels, or like macros that make some, and could not be read"
            yield from (f"  {nearby(it)}" for it in self._unread)

    def hidden(self) -> Iterator[str]:
        """Which kernels and launches are not looked at, as a build may compile them that is not in sight."""
        if self._hidden:
            yield "Under an #if that nothing in sight makes true: say in `macros:` what your build defines"
            yield from (f"  {nearby(it)}" for it in self._hidden)

    def lines(self) -> Iterator[str]:
        yield "Registers of each kernel"
        yield from (f"  {nearby(line)}" for line in [*self._each()] or ["no kernel found"])
        readings = [it for project in self._projects for it in project.results.readings().values()]
        left = [usage for it in readings for usage in it.usages if usage not in self._taken]
        if left:
            yield "Counts that belong to no kernel here"
            yield from (f"  {_place(it)} {it.kernel[:80]}" for it in left[:_MOST_UNUSED])
        if len(left) > _MOST_UNUSED:
            yield f"  and {len(left) - _MOST_UNUSED} more"

    def _each(self) -> Iterator[str]:
        """One by one; of many of which the same is told, how many they are, where the first of them stands."""
        alike: dict[tuple[str, str], list[_Told]] = {}
        for it in self._told:
            alike.setdefault((it.what, it.said), []).extend([] if it.more else [it])
        for it in self._told:
            same = alike[it.what, it.said]
            if it.more or len(same) <= _MOST_ALIKE:
                yield from (f"{it.who}: {it.said}", *it.more)
            elif it is same[0]:
                files = len({each.file for each in same})
                where = f" in {files} file{'s' if files > 1 else ''}" if it.what == "kernel" else ""
                yield f"{len(same)} {it.what}s{where}, {it.who} the first: {it.said}"


def _unused(unused: Unused) -> str:
    usage = unused.usage
    count = f" ({usage.registers} registers)" if usage.registers is not None else ""
    return f"{_place(usage)}{count}: {unused.why}"


def _place(usage: Usage) -> str:
    return nearby(f"{usage.path}:{usage.line}" if usage.line else usage.path)


def _registers(report: KernelReport, why: Sequence[Problem]) -> str:
    """`why`: what may have named it and is not read."""
    count = report.registers
    if count.lowest is not None:
        number = str(count.exact) if count.exact is not None else f"{count.lowest} to {count.highest}"
        return f"{number}, {count.told}{_AGE[count.freshness]}"
    if report.elsewhere:
        archs = ", ".join(sorted({usage.arch or "every device" for usage in report.elsewhere}))
        return f"not known: there are counts for {archs}, none for {report.arch.id}"
    bound = f", at most {count.highest} by its bounds" if count.capped else ""
    if not why:
        return f"not known{bound}: no log or sidecar names it"
    unread = ", ".join(dict.fromkeys(nearby(it.path) for it in why[:_MOST_UNREAD]))
    return f"not known{bound}: no log or sidecar that was read names it; not read: {unread}"
