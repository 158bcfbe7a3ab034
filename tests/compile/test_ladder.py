"""Steps of other bounds, as real compilers count them: what is shown of one is what its edit gives in the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from occupancy_lsp.analysis.inputs import spills_of
from occupancy_lsp.core.text import Text
from occupancy_lsp.edits.ladder.rows import Rung, preferred, rungs
from occupancy_lsp.edits.resize.launched import Refused
from occupancy_lsp.features.actions import edit_context
from occupancy_lsp.features.ladder import step_title, table
from occupancy_lsp.session.compilations import compilation
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.trials import Trial, trial
from occupancy_lsp.session.view import OpenFile, View
from tests.support import live

CUDA = live(40)
LAUNCH = "void go(float* p, int n) { live<<<64, 256>>>(p, p, n, n, n); }\n"
HIP = live(90, mad="__builtin_fmaf")
OPENCL = live(
    90,
    "__kernel __attribute__((reqd_work_group_size(256, 1, 1)))\n"
    "void live(__global const float* in, __global float* out, int i, int s, int n)",
    "fma",
)
SOURCES = [
    ("a.cu", "rtx-4090", CUDA.replace("live(const", "__launch_bounds__(256, 4) live(const") + LAUNCH),
    ("a.cu", "h100", CUDA + LAUNCH.replace("256", "n > 9 ? 512 : 128")),
    ("a.hip", "mi300x", HIP.replace("live(const", "__launch_bounds__(256) live(const") + LAUNCH),
    ("a.cl", "mi300x", OPENCL),
]


def opened(path: Path, device: str, text: str) -> tuple[View, Project]:
    path.write_text(text)
    project = Project(path.parent, None, {"devices": [device]})
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(path, "", Text(text.encode()), project).view()
    assert view is not None
    return view, project


def tried(path: Path, device: str, text: str) -> tuple[Sequence[Rung], Trial, View, Project]:
    view, project = opened(path, device, text)
    made = trial(view, project, 0, edit_context(view, {}))
    assert not isinstance(made, Refused), made
    for wanted in made:
        made.take(wanted.run(lambda: False, lambda step: None))
    assert made.ladder is not None, made.why
    return rungs(made.report, made.ladder), made, view, project


@pytest.mark.parametrize(("name", "device", "text"), SOURCES)
def test_the_edit_gives_what_is_shown(workspace: Path, name: str, device: str, text: str) -> None:
    found, made, view, _ = tried(workspace / name, device, text)
    assert len(found) > 2 and any(it.row.spilled for it in found)
    same_in_the_file(workspace / name, device, found[-1], made, view)


def same_in_the_file(path: Path, device: str, it: Rung, made: Trial, view: View) -> None:
    edited = view.text.content
    for place, new in sorted(it.row.step.edits, key=lambda edit: -view.span(edit[0])[0]):
        start, end = view.span(place)
        edited = edited[:start] + new.encode() + edited[end:]
    after, project = opened(path, device, edited.decode())
    facts = after.facts
    whole = compilation(path, after.source.dialect, made.report.device, project, facts)
    (usage,) = whole.run(lambda: False, lambda step: None).usages
    (shown,) = it.row.usages
    assert (usage.registers, spills_of([usage])) == (shown.registers, it.row.spills)
    assert usage.registers is not None and usage.registers <= it.row.step.ceiling
    # The model reads the edited head as it was taken to be.
    assert after.reports[0].size == it.report.size
    if after.reports[0].kernel.attributes.bounds is None or not it.row.head.waves:
        assert after.reports[0].registers.highest == it.row.step.ceiling


def test_a_step_that_spills_says_so(workspace: Path) -> None:
    found, made, view, _ = tried(workspace / "a.cu", "h100", CUDA + LAUNCH)
    same_in_the_file(workspace / "a.cu", "h100", found[1], made, view)
    rows = {it[0]: it[1:] for it in table(found)}
    assert rows["none, now"] == ("48", "62.5%", "none")
    assert rows["(256, 6)"][:2] == ("40", "75%") and rows["(256, 6)"][2].endswith(" B")
    title = step_title(found[0], found[-1])
    assert title.startswith("Bounds (256, 8): 32 registers (now 48), 62.5% → 100%, spills ") and len(title) <= 100
    assert title.endswith(" B (now none)")
    assert preferred(found) is None  # each of them spills
