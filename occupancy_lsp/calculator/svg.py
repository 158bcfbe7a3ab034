"""A chart as SVG: steps coloured by what limits, today's point marked, another device as a line.

Colours are classes, so that an editor's theme can choose them; `standalone` brings a style of its own along. The writer
escapes all texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from xml.etree.ElementTree import Element, SubElement, tostring

from occupancy_lsp.calculator.chart import Chart, described, limits_text
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.model.staircase import Step

WIDTH, HEIGHT = 340, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 10, 10, 34
_MARK = 4  # radius of the point

# Told apart by people who see few colours, too (Okabe and Ito).
COLOURS = {
    "registers": "#0072b2",
    "local_memory": "#e69f00",
    "sub_groups": "#009e73",
    "groups": "#cc79a7",
    "barriers": "#d55e00",
    "scalars": "#56b4e9",
    "tensor_memory": "#f0e442",
}
MARKS = (
    ".open{fill-opacity:.4}.other{fill:none;stroke:#8250df;stroke-width:2;stroke-dasharray:5 3}"
    ".now{fill:#cf222e;stroke:#fff;stroke-width:1.5}.now-line{stroke:#cf222e;stroke-dasharray:2 2}"
) + "".join(f".{name}{{fill:{colour}}}" for name, colour in COLOURS.items())
_STYLE = (
    "text{font:11px system-ui,sans-serif;fill:#57606a}.grid{stroke:#8c959f;stroke-opacity:.35}"
    "@media(prefers-color-scheme:dark){text{fill:#adbac7}}"
) + MARKS


def drawing(chart: Chart, other: Chart | None = None) -> str:
    """An `<svg>` of classes alone. `other`: the same chart of another device."""
    return tostring(_drawn(chart, other), encoding="unicode")


def standalone(chart: Chart, other: Chart | None = None) -> str:
    """The same as a file."""
    svg = _drawn(chart, other)
    style = Element("style")
    style.text = _STYLE
    svg.insert(2, style)
    return tostring(svg, encoding="unicode")


def small(chart: Chart) -> str:
    """A file of its own for places that have no theme and no pointer: greys that are read on light and dark."""
    svg = _drawn(chart, None)
    for told in [*svg.iter("title"), *svg.iter("desc")]:
        told.text = None
    style = Element("style")
    style.text = "text{font:11px sans-serif;fill:#808080}.grid{stroke:#808080;stroke-opacity:.4}" + MARKS
    svg.insert(2, style)
    svg.set("height", "120")
    return tostring(svg, encoding="unicode")


def _drawn(chart: Chart, other: Chart | None) -> Element:
    svg = Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img")
    svg.set("aria-label", described(chart))
    SubElement(svg, "title").text = described(chart)
    SubElement(svg, "desc").text = "; ".join(f"{amount}: {percent}" for amount, _, percent, _ in chart.rows())
    x = _scale(chart)
    _axes(svg, chart)
    for step in chart.best:
        _step(svg, chart, step, x, *(("open", "at most ") if chart.sure else ("", "")))
    for step in chart.sure:
        _step(svg, chart, step, x, "", "at least ")
    if other is not None:
        path = "".join(
            f"{'L' if at else 'M'}{x(step.first - 1):.1f} {_y(step.result.percent):.1f}H{x(step.last):.1f}"
            for at, step in enumerate(other.best)
        )
        SubElement(svg, "path", {"class": "other", "d": path})
    _now(svg, chart, x)
    return svg


def _scale(chart: Chart) -> Callable[[float], float]:
    """Where an amount stands: the left edge of a step is what comes before its first."""
    start, last = chart.best[0].first - 1, chart.best[-1].last
    return lambda at: _LEFT + (min(max(at, start), last) - start) / (last - start) * (WIDTH - _LEFT - _RIGHT)


def _y(percent: float) -> float:
    return HEIGHT - _BOTTOM - percent / 100 * (HEIGHT - _TOP - _BOTTOM)


def _axes(svg: Element, chart: Chart) -> None:
    for percent in (0, 25, 50, 75, 100):
        y = f"{_y(percent):.1f}"
        SubElement(svg, "line", {"class": "grid", "x1": str(_LEFT), "x2": str(WIDTH - _RIGHT), "y1": y, "y2": y})
        if percent % 50 == 0:
            _text(svg, f"{percent}%", _LEFT - 5, _y(percent) + 4, "end")
    bottom = HEIGHT - _BOTTOM + 14
    _text(svg, chart.amount(chart.best[0].first), _LEFT, bottom, "start")
    _text(svg, chart.amount(chart.best[-1].last), WIDTH - _RIGHT, bottom, "end")
    _text(svg, chart.axis, (_LEFT + WIDTH - _RIGHT) / 2, HEIGHT - 5, "middle")


def _text(svg: Element, text: str, x: float, y: float, anchor: str) -> None:
    SubElement(svg, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor}).text = text


def _step(svg: Element, chart: Chart, step: Step, x: Callable[[float], float], more: str, how: str) -> None:
    """A bar, which says under the pointer what it stands for. What cannot launch has none. `how`: sure it is."""
    result = step.result
    if not result.groups:
        return
    left, right, top = x(step.first - 1), x(step.last), _y(result.percent)
    names: Iterable[str] = filter(None, ("step", result.limiters[0], more))
    bar = SubElement(
        svg, "rect",
        {"class": " ".join(names), "x": f"{left:.1f}", "y": f"{top:.1f}", "width": f"{right - left:.1f}",
         "height": f"{_y(0) - top:.1f}"},
    )  # fmt: skip
    amounts = " to ".join(dict.fromkeys((chart.amount(step.first), chart.amount(step.last))))
    count = f"{result.groups} {chart.words.group if result.groups == 1 else chart.words.groups}"
    limits = limits_text(result, chart.words)
    SubElement(bar, "title").text = f"{amounts}: {how}{percent_text(result.percent)}, {count}, limited by {limits}"


def _now(svg: Element, chart: Chart, x: Callable[[float], float]) -> None:
    """The input as it is; a line at each end where it is open. No point where the figure is a range."""
    if chart.now is None:
        return
    ends = dict.fromkeys(chart.now)
    for at in ends:
        where = f"{x(at):.1f}"
        SubElement(svg, "line", {"class": "now-line", "x1": where, "x2": where, "y1": f"{_y(0):.1f}", "y2": str(_TOP)})
        if len(ends) == 1 and (result := chart.sure_at(at)) is not None:
            SubElement(svg, "circle", {"class": "now", "cx": where, "cy": f"{_y(result.percent):.1f}", "r": str(_MARK)})
    first, last = chart.best[0].first, chart.best[-1].last
    middle = chart.now[0]
    if first + (last - first) / 8 < middle < last - (last - first) / 6 and len(ends) == 1:
        _text(svg, chart.amount(middle), x(middle), HEIGHT - _BOTTOM + 14, "middle")
