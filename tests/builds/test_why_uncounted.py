"""What was compiled and could not be read: the kernel's hover and `check` say why, and what to do, in a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.plain import plain
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.builds.test_layouts import KERNELS, builds, put
from tests.builds.test_results import log
from tests.cli.support import occupancy
from tests.counts.test_traces import TRACE

PTX = "only PTX is in it, which the driver compiles on the user's machine: add machine code for a device"
LTO = "only code for link-time optimisation is in it: give the program or library that nvcc -dlto links of it"


def hover(root: Path, project: Project | None = None) -> str:
    path = root / "src" / "shift.cu"
    known = project or Project(root)
    known.scan(lambda: False, lambda done, total: None)
    known.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(path, "", Text(path.read_bytes()), known).view()
    assert view is not None
    return plain(explain(view, 0))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    put(tmp_path, "src/shift.cu", KERNELS.encode())
    return tmp_path


@pytest.mark.parametrize(("sample", "why"), [("ptx_only.o", PTX), ("lto.o", LTO)])
def test_what_cannot_be_read(root: Path, sample: str, why: str) -> None:
    put(root, "build/shift.o", builds()[sample])
    assert f"Registers: no count found. shift.o: {why}" in hover(root)
    checked = occupancy("check", ".", cwd=root)
    assert f"build/shift.o: {why}" in checked.out + checked.err


def test_what_is_read_is_not_talked_about(root: Path) -> None:
    """An older object without machine code, and one with it."""
    put(root, "build/shift.o", builds()["ptx_only.o"])
    put(root, "Release/shift.o", builds()["size.o"])
    assert "PTX" not in hover(root)


def test_of_another_source(root: Path) -> None:
    put(root, "build/other.o", builds()["ptx_only.o"])
    assert "PTX" not in hover(root)


def test_whose_it_is_cannot_be_told(root: Path) -> None:
    put(root, "lib/shift.cu", KERNELS.encode())
    put(root, "build/all.a", builds()["libshift.a"])
    assert "Registers: no count found. all.a is not used: it may be of the kernel in lib/shift.cu." in hover(root)


def test_what_a_compiler_said(root: Path) -> None:
    project = Project(root)
    why = Problem(str(root / "src" / "shift.cu"), 1, 10, "not compiled: nvcc: curand.h: No such file", "install it")
    project.compiled(root / "src" / "shift.cu", Reading(problems=(why,)))
    said = "Registers: no count found. shift.cu:1: not compiled: nvcc: curand.h: No such file; install it."
    assert said in hover(root, project)
    project.compiled(root / "src" / "shift.cu", Reading())
    assert "not compiled" not in hover(root, project)


def test_a_log_that_is_passed_over_is_told_once(root: Path) -> None:
    put(root, "src/more.cu", KERNELS.replace("shift", "more").encode())
    mixed = "".join(f"{line}\n" * 2 for line in log("_Z5shiftPf", 40).splitlines())
    put(root, "build/make.log", mixed.encode())
    why = "lines of several compilations are mixed here, not read: _Z5shiftPf"
    assert f"make.log:2: {why}" in hover(root)
    checked = occupancy("check", ".", cwd=root)
    assert (checked.out + checked.err).count(f"build/make.log:2:1: {why}") == 1
    said = occupancy("doctor", ".", cwd=root).out
    assert "no log or sidecar that was read names it; not read: build/make.log" in said
    assert f"  build/make.log:2:1: {why}" in said.partition("\nProblems\n")[2]


def test_no_more_than_some_are_told(root: Path) -> None:
    for number in range(9):
        put(root, f"build/{number}_kernel_trace.csv", TRACE)
    told = occupancy("check", ".", cwd=root)
    assert (told.out + told.err).count("a trace does not say for which GPU") == 4
    assert "and 5 more files are not read; `occupancy-lsp doctor` lists them" in told.out + told.err
