"""Code lenses: the figure or why there is none, and what can be done about it; hovers and actions on whole heads."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.lenses import lenses
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

HEAD = """\
template <int N>
static __global__ void __launch_bounds__(N, 2)
far_from_its_end(
    float *x,
    int n
) { x[n] = 1; }
void go(float *x) { far_from_its_end<256><<<1, 256>>>(x, 3); }
"""
OTHER = "__global__ void other(int *p, int n) { *p = n; }\n"


def opened(text: str, name: str = "a.cu") -> View:
    view = OpenFile(Path("/nowhere") / name, "", Text(text.encode()), Project(None)).view()
    assert view is not None
    return view


def titles(text: str, name: str = "a.cu") -> list[str]:
    return [it.title for it in lenses(opened(text, name))]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"// occupancy: regs=40\n{HEAD}", ["75% · 6 blk/SM · regs", "Try bounds", "Panel"]),
        (f"// occupancy: regs=32\n{HEAD}", ["100% · 8 blk/SM", "Panel"]),
        (HEAD, ["≥25% · regs ≤128", "Compile", "Panel"]),
        (OTHER, ["block size? · no launch in sight", "Compile", "Panel"]),
        (f"{OTHER}void go(int n) {{ other<<<1, n>>>(0, n); }}\n", ["block size? · parameter n", "Compile", "Panel"]),
    ],
)
def test_what_stands_above_a_kernel(text: str, said: list[str]) -> None:
    assert titles(text) == said


def test_a_language_that_nothing_compiles_and_a_header() -> None:
    text = "layout(local_size_x = 64) in;\nvoid main() { }\n"
    assert "Compile" not in titles(f"#version 450\n{text}", "a.comp")
    assert titles(f"// occupancy: regs=40\n{HEAD}", "a.cuh") == ["75% · 6 blk/SM · regs", "Panel"]


def test_a_lens_stands_above_the_whole_head() -> None:
    text = f"// about it\n{HEAD}"
    assert {it.at for it in lenses(opened(text))} == {text.index("template")}


@pytest.mark.parametrize("token", ["template", "static", "__launch_bounds__", "far_from", "float", "int n", ")"])
def test_hovers_and_actions_come_on_the_whole_head(token: str) -> None:
    text = f"// occupancy: regs=40\n{HEAD}"
    view, at = opened(text), text.index(token, text.index("template"))
    assert hover(view, at) is not None
    offered = {it.title for it in actions(view, at, at)}
    assert "Open the panel" in offered and any(it.startswith("Try ") for it in offered)


def test_between_kernels_is_nothing() -> None:
    view = opened(f"{HEAD}int after = 1;\n")
    at = view.text.content.index(b"after")
    assert hover(view, at) is None and actions(view, at, at) == []
