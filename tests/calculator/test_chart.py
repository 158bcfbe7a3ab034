"""Charts beside what `calc` computes at each amount; and as XML that any reader takes."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from occupancy_lsp.calculator.calculate import answer
from occupancy_lsp.calculator.chart import Chart, bars, charts, described
from occupancy_lsp.calculator.svg import COLOURS, HEIGHT, WIDTH, drawing, small, standalone
from occupancy_lsp.model.occupancy import Limits, Need
from tests.presets import CATALOGUE

KEYS = {"group_size": "workgroup", "registers": "registers", "local": "dynamic_local"}
SVG = "{http://www.w3.org/2000/svg}"


def made(device: str, *needs: Need) -> dict[str, Chart]:
    return {it.over: it for it in charts(CATALOGUE.find(device).arch, needs[0], needs[-1])}


@pytest.mark.parametrize("device", ["h100", "rtx-4090", "mi300x", "rx-7900-xtx", "max-1550", "b200"])
def test_each_row_is_what_calc_says(device: str) -> None:
    for over, chart in made(device, Need(256, 48, 0, 8192)).items():
        for step, (amounts, groups, percent, limits) in zip(chart.best, chart.rows(), strict=True):
            request = {
                "device": device,
                "workgroup": 256,
                "registers": 48,
                "dynamic_local": 8192,
                KEYS[over]: step.last,
            }
            told = answer(request, CATALOGUE.find)
            assert (groups, percent) == (str(told["groups"]), f"{round(told['percent'], 2):g}%"), (over, amounts)
            assert (limits == "cannot launch") == (told["groups"] == 0)


def test_what_is_open_has_two_ends() -> None:
    chart = made("h100", Need(256, 32), Need(256, 64))["group_size"]
    row = next(it for it in chart.rows() if it[0] == "225 to 256")
    assert row[1:3] == ("4–8", "50–100%")
    assert made("h100", Need(256, None), Need(256, 64))["registers"].now is None
    assert described(chart) == "Occupancy over threads per block: 50–100% at 256."
    root = ElementTree.fromstring(drawing(chart))
    assert root.get("aria-label") == described(chart) == root.findtext(f"{SVG}title")
    assert not [*root.iter(f"{SVG}circle")]  # no point is sure
    assert all("at least " in (it[0].text or "") or "at most " in (it[0].text or "") for it in root.iter(f"{SVG}rect"))


def test_registers_that_limit_nothing_have_no_chart() -> None:
    assert "registers" not in made("max-1550", Need(256))


def test_a_drawing_shows_its_point_and_stays_within_its_frame() -> None:
    other = made("rtx-4090", Need(256, 48))["group_size"]
    root = ElementTree.fromstring(drawing(made("h100", Need(256, 48))["group_size"], other))
    (point,) = (it for it in root.iter(f"{SVG}circle"))
    bar = next(it for it in root.iter(f"{SVG}rect") if (it[0].text or "").startswith("225 to 256"))
    left, width = float(bar.get("x", "")), float(bar.get("width", ""))
    assert left <= float(point.get("cx", "")) <= left + width + 0.1
    assert point.get("cy") == bar.get("y")
    assert bar[0].text == "225 to 256: 62.5%, 5 blocks, limited by registers"
    assert len([*root.iter(f"{SVG}path")]) == 1
    for rect in root.iter(f"{SVG}rect"):
        x, y = float(rect.get("x", "")), float(rect.get("y", ""))
        assert 0 <= x <= x + float(rect.get("width", "")) <= WIDTH
        assert 0 <= y <= y + float(rect.get("height", "")) <= HEIGHT


def test_a_file_brings_its_colours_along_and_a_page_gets_none() -> None:
    chart = made("mi300x", Need(256, 48))["registers"]
    assert ElementTree.fromstring(standalone(chart)).find(f"{SVG}style") is not None
    assert "style" not in drawing(chart)
    assert set(Limits.__dataclass_fields__) == COLOURS.keys()


def test_bars_are_as_high_as_the_chart() -> None:
    """At 48 registers on sm_90: 62.5% at 256 threads, the eighth of 32 sizes; 1024 threads fill half of the SM."""
    line = bars(made("h100", Need(256, 48))["group_size"])
    assert len(line) == 34 and line[7:10] == "[▅]" and line[-1] == "▄"


def test_the_bar_in_brackets_is_as_high_as_todays_point() -> None:
    """32 registers on sm_90: 100% at 256 threads; from 33 on, where most of that bar lies, 75%."""
    assert bars(made("h100", Need(256, 32))["registers"]).startswith("████[█]▅")


def test_a_small_picture_is_small_and_needs_no_theme() -> None:
    text = small(made("h100", Need(256, 48))["group_size"])
    assert len(text) < 6000 and ElementTree.fromstring(text).find(f"{SVG}style") is not None


def test_what_runs_shows_in_a_line_of_bars() -> None:
    """One block of 64 threads fills 3% of an SM: less than half of the lowest bar."""
    line = bars(made("h100", Need(64, 32, 200_000))["group_size"])
    assert line[0] == "▁"
