"""What a compile said takes part in the figures: over older logs, until the text moves on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from occupancy_lsp.builds.attribution import on_architecture
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.usage import Reading, Usage
from occupancy_lsp.features.labels import kernel_label
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile

KERNEL = "__global__ void __launch_bounds__(256) scale(float *x) {\n    x[0] *= 2;\n}\n"
LOG = """\
ptxas info    : Compiling entry function '_Z5scalePf' for 'sm_90'
ptxas info    : Function properties for _Z5scalePf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 200 registers
"""


def usage(registers: int) -> Usage:
    return Usage("_Z5scalePf", "compiled", f"said-{registers}", 1, "sm_90", registers=registers, mtime=time.time() + 1)


def opened(path: Path, project: Project) -> OpenFile:
    return OpenFile(path, "cuda", Text(path.read_bytes()), project)


def registers(file: OpenFile) -> tuple[int | None, int, str]:
    view = file.view()
    assert view is not None
    (report,) = view.reports
    assert kernel_label(report)
    return report.registers.lowest, report.registers.highest, report.registers.freshness


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "scale.cu").write_text(KERNEL)
    return Project(tmp_path, None, {"devices": ["h100"]})


def test_from_a_bound_to_a_figure_and_stale(project: Project, tmp_path: Path) -> None:
    file = opened(tmp_path / "scale.cu", project)
    assert registers(file) == (None, 255, "fresh")
    project.compiled(tmp_path / "scale.cu", Reading((usage(8),)))
    assert registers(file) == (8, 8, "fresh")
    file.edit(0, 0, b"// a comment\n")
    assert registers(file) == (8, 8, "fresh")
    at = file.text.content.index(b"2;")
    file.edit(at, at + 1, b"3")
    assert registers(file)[2] == "stale"
    project.compiled(tmp_path / "scale.cu", Reading((usage(9),)))
    file.edit(at, at + 1, b"2")
    assert registers(file) == (9, 9, "fresh")


def test_over_logs_of_the_same_architecture(project: Project, tmp_path: Path) -> None:
    (tmp_path / "build.ptxas.log").write_text(LOG + LOG.replace("sm_90", "sm_80"))
    project.scan(lambda: False, lambda done, total: None)
    file = opened(tmp_path / "scale.cu", project)
    assert registers(file) == (200, 200, "fresh")
    project.compiled(tmp_path / "scale.cu", Reading((usage(8),)))
    assert registers(file) == (8, 8, "fresh")
    found = on_architecture(project.results.joined("scale", tmp_path / "scale.cu"), "sm_80")
    assert [it.registers for it in found.used] == [200]


def test_a_source_s_counts_are_its_own_and_its_headers(project: Project, tmp_path: Path) -> None:
    (tmp_path / "twin.cu").write_text('#include "h.cuh"\n' + KERNEL)
    (tmp_path / "h.cuh").write_text(KERNEL.replace("scale", "inner"))
    project.read_sources(lambda: False, lambda done, total: None)
    project.compiled(tmp_path / "scale.cu", Reading((usage(8),)))
    inner = Usage("_Z5innerPf", "compiled", "twin", 1, "sm_90", registers=10, mtime=time.time() + 1)
    project.compiled(tmp_path / "twin.cu", Reading((usage(9), inner)))
    assert registers(opened(tmp_path / "scale.cu", project)) == (8, 8, "fresh")
    assert registers(opened(tmp_path / "twin.cu", project)) == (9, 9, "fresh")
    assert registers(opened(tmp_path / "h.cuh", project)) == (10, 10, "fresh")
