"""From kernels to their launches and back, and the kernels of a document."""

from __future__ import annotations

from pathlib import Path

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.answers import Spot
from occupancy_lsp.features.navigation import definitions, references, symbols
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

TEXT = """\
// about it
// occupancy: regs=40
template <typename T>
__global__ void scale(T *x, int n) { x[n] = 1; }
__global__ void other(int *p) { *p = 1; }
void go(float *x) {
    scale<float><<<1, 256>>>(x, 3);
    other<<<1, 64>>>(0);
    scale<float><<<2, 256>>>(x, 4);
}
"""


def opened(path: Path, text: str, root: Path | None = None) -> View:
    project = Project(root)
    if root is not None:
        job = project.scanning()
        job.take(job.run(lambda: False, lambda done, total: None))
        reading = project.reading()
        reading.take(reading.run(lambda: False, lambda done, total: None))
    view = OpenFile(path, "", Text(text.encode()), project).view()
    assert view is not None
    return view


def text_at(it: Spot, text: str = TEXT) -> str:
    return text[it.start : it.end]


def test_symbols_are_the_kernels_with_their_figures() -> None:
    first, second = symbols(opened(Path("/nowhere/a.cu"), TEXT))
    assert (first.name, first.detail) == ("scale", "75% · 6 blk/SM · regs")
    assert (second.name, second.detail) == ("other", "64 thr · 100% if ≤32 regs")
    assert TEXT[first.start : first.end] == TEXT[TEXT.index("template") : TEXT.index("__global__ void other") - 1]
    assert all(it.start <= it.name_start < it.name_end <= it.end for it in (first, second))


def test_a_launch_leads_to_its_kernel_and_that_to_all_launches() -> None:
    view = opened(Path("/nowhere/a.cu"), TEXT)
    name, launch = TEXT.index("scale("), TEXT.index("scale<float><<<2")
    (kernel,) = definitions(view, launch)
    assert kernel == Spot(name, name + len("scale"))
    assert [*definitions(view, name)] == [*definitions(view, TEXT.index("go"))] == []
    found = [*references(view, name, True)]
    assert found[0] == kernel and [*map(text_at, found[1:])] == ["scale<float>"] * 2
    assert found[2].start == launch
    assert [*references(view, launch, False)] == found[1:]
    assert [*references(view, TEXT.index("go"), True)] == []


def test_launches_in_other_files(tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text("#pragma once\n__global__ void far(int *p) { *p = 1; }\n")
    (tmp_path / "main.cu").write_text('#include "k.cuh"\nvoid go() {\n    far<<<1, 64>>>(0);\n}\n')
    text = (tmp_path / "k.cuh").read_text()
    found = references(opened(tmp_path / "k.cuh", text, tmp_path), text.index("far"), False)
    assert [*found] == [Spot(0, 0, str(tmp_path / "main.cu"), 2)]
