"""A check as one page of HTML that stands alone: figures on every device, charts, and what was found.

It loads nothing and runs nothing. It follows the reader's choice of light or dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TextIO

from occupancy_lsp import __version__
from occupancy_lsp.calculator.svg import COLOURS, drawing
from occupancy_lsp.cli.formats.html_style import STYLE
from occupancy_lsp.cli.formats.matrix import NOTHING, cell
from occupancy_lsp.cli.formats.result import About, Line, nearby
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.visible import visible
from occupancy_lsp.core.wording import span_text
from occupancy_lsp.findings.grouping import Group, groups
from occupancy_lsp.findings.records import SEVERITIES, FileRecord, KernelRecord, OnDevice
from occupancy_lsp.findings.totals import Totals, counted

_MOST_CHARTS = 300  # kernels: a page of some ten megabytes
_HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>GPU occupancy</title>
<style>
"""
_LIMITS = {
    "registers": "registers",
    "local_memory": "shared or local memory",
    "sub_groups": "warps, waves or threads",
    "groups": "blocks or work-groups",
    "barriers": "barriers",
    "scalars": "scalar registers",
    "tensor_memory": "tensor memory",
}
_SWATCH = '<svg class="swatch" viewBox="0 0 10 10"><rect class="{}" width="10" height="10"/></svg>\u00a0{}'
_LEGEND = (
    "<p>The point is the kernel as it is, the line each end of what is open. Bars are coloured by what limits, and"
    f" paler where registers or bytes are open: {', '.join(_SWATCH.format(it, _LIMITS[it]) for it in COLOURS)}.</p>\n"
)


class AsHtml:
    tells_problems = True

    def __init__(self, about: About) -> None:
        self._about = about
        self._totals = Totals()
        self._devices: dict[str, str] = {}
        self._kernels: list[tuple[str, KernelRecord]] = []
        self._found: list[tuple[str, Group]] = []
        self._charts: list[str] = []
        self._charted = 0

    def file(self, record: FileRecord) -> Iterable[Line]:
        self._totals.count(record)
        path = self._about.relative(record.absolute)
        self._found += [(path, it) for it in groups(record, path)]
        for kernel in record.kernels:
            self._devices |= {it.device.id: it.device.name for it in kernel.on}
            self._kernels.append((path, kernel))
            if charts := "".join(_charts(kernel)):
                self._charted += 1
                if self._charted <= _MOST_CHARTS:
                    self._charts.append(f"<details><summary>{_named(path, kernel)}</summary>\n{charts}</details>\n")
        return ()

    def end(self, problems: Sequence[Problem], interrupted: bool, out: TextIO) -> None:
        out.writelines((_HEAD, STYLE, "</style>\n</head>\n<body>\n"))
        totals = self._totals
        out.write(f"<h1>GPU occupancy</h1>\n<p>{_text(totals.looked_at)}: {_text(totals.found)}.</p>\n")
        if problems:
            out.write(
                f"<h2>Problems</h2>\n<ul>{''.join(f'<li>{_text(nearby(str(it)))}</li>' for it in problems)}</ul>\n"
            )
        out.writelines(self._findings())
        out.writelines(self._figures())
        if self._charts:
            left = self._charted - len(self._charts)
            more = f"<p>{counted(left, 'more kernel')} not shown.</p>\n" if left else ""
            out.writelines(("<h2>Charts</h2>\n", _LEGEND, *self._charts, more))
        said = "Theoretical occupancy: what fits on a compute unit at once, not what a run achieves."
        out.write(f"<footer>occupancy-lsp {__version__}. {said}</footer>\n</body>\n</html>\n")

    def _findings(self) -> Iterator[str]:
        if not self._found:
            return
        yield "<h2>Findings</h2>\n<table>\n<tr><th>severity<th>where<th>kernel<th>finding<th>rule</tr>\n"
        for path, it in sorted(self._found, key=lambda it: SEVERITIES.index(it[1].severity), reverse=True):
            kernel = it.kernel.name if it.kernel else ""
            message = it.message if self._about.matrix else it.short_message
            where = f"<code>{_text(path)}:{it.first.place.start.line}</code>"
            yield f'<tr><td class="{it.severity}">{it.severity}<td>{where}<td><code>{_text(kernel)}</code>'
            yield f"<td>{_text(message)}<td>{it.first.rule}</tr>\n"
        yield "</table>\n"

    def _figures(self) -> Iterator[str]:
        if not self._kernels:
            return
        yield "<h2>Kernels</h2>\n"
        yield "<p>The bar is the occupancy: strong as far as it is sure, faint as far as it may be.</p>\n"
        yield '<div class="wide"><table>\n<tr><th>kernel'
        yield from (f"<th>{_text(name)}" for name in self._devices.values())
        yield "</tr>\n"
        for path, kernel in self._kernels:
            on = {it.device.id: it for it in kernel.on}
            yield f"<tr><td>{_named(path, kernel)}"
            yield from (_figure(on.get(it)) for it in self._devices)
            yield "</tr>\n"
        yield "</table></div>\n"


def _named(path: str, kernel: KernelRecord) -> str:
    where = f"{path}:{kernel.place.start.line}"
    return f'<code>{_text(kernel.name)}</code> <span class="where">{_text(where)}</span>'


def _figure(on: OnDevice | None) -> str:
    """A bar up to what is sure, and a paler one up to what may be."""
    if on is None:
        return f"<td>{NOTHING}"
    said = _text(cell(on))
    if on.percent is None:
        return f"<td>{said}"
    low, high = on.percent
    bar = f'<span class="bar"><i class="may" style="width:{high:.1f}%"></i><i style="width:{low:.1f}%"></i></span>'
    return f'<td class="figure" title="{span_text(low, high)}">{said}{bar}'


def _charts(kernel: KernelRecord) -> Iterator[str]:
    """Of the first device that has a figure."""
    on = next((it for it in kernel.on if it.charts), None)
    if on is not None:
        yield f"<p>{_text(on.device.name)}: {_text(cell(on))}</p>\n"
        for chart in on.charts:
            yield f"<figure>{drawing(chart)}</figure>\n"


def _text(text: str) -> str:
    return escape(visible(text))
