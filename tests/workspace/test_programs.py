"""OpenCL programs that the host puts together from files, each a string that C++ includes: as CLBlast does."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.session.project import Project
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.local_memory import LocalMemory
from occupancy_lsp.workspace.programs import programs_of

_KERNEL = """__kernel void k(__global T* p, int n) {
  __local T a[N];
  a[n] = p[0]; barrier(CLK_LOCAL_MEM_FENCE); p[0] = a[p[1]];
}"""
_HOST = """// N is 5 in the host only
#define N 5
typedef double T;
Program::Program(Queue& queue) : Base(queue, {
%s
}) { }
"""


def _part(text: str) -> str:
    return f'// a part of a program\nR"(\n{text}\n)"\n'


def _memory(root: Path, hosts: dict[str, str], **parts: str) -> LocalMemory:
    """Of the kernel in `kernel.opencl` beside these parts and hosts."""
    for name, text in {**parts, "kernel": parts.get("kernel", _KERNEL)}.items():
        (root / f"{name}.opencl").write_text(_part(text))
    for name, text in hosts.items():
        (root / name).write_text(_HOST % text)
    project = Project(root)
    project.read_sources(lambda: False, lambda done, total: None)
    source = root / "kernel.opencl"
    dialect = project.dialect(source, "", source.read_bytes())
    assert dialect is not None
    read = Source(source.read_bytes(), dialect)
    (kernel,) = read.facts({}, project.around(source, read)).kernels
    return kernel.summary.local


_TWO = '#include "first.opencl"\n    ,  // in pieces\n#include "kernel.opencl"'
_OTHER = '#include "second.opencl"\n#include "kernel.opencl"'
_FIRST = "#define N 64\ntypedef float T;"


def test_what_stands_in_the_parts_before(tmp_path: Path) -> None:
    assert _memory(tmp_path, {"a.cpp": _TWO}, first=_FIRST).exact == 256


def test_a_part_that_no_host_includes(tmp_path: Path) -> None:
    assert _memory(tmp_path, {}, first=_FIRST).highest is None


@pytest.mark.parametrize(
    "host",
    [
        '#include "first.opencl"\n; more +=\n#include "kernel.opencl"',  # two strings
        '#include "kernel.opencl"\n#include "first.opencl"',  # what comes after defines nothing for it
    ],
)
def test_parts_that_are_not_before_it(tmp_path: Path, host: str) -> None:
    assert _memory(tmp_path, {"a.cpp": host}, first=_FIRST).highest is None


def test_functions_in_the_parts_after(tmp_path: Path) -> None:
    found = _memory(
        tmp_path,
        {"a.cpp": '#include "kernel.opencl"\n#include "first.opencl"'},
        kernel="__kernel void inner(__global int* p); __kernel void k(__global int* p) { inner(p); }",
        first="__kernel void inner(__global int* p) { __local int a[16]; a[p[1]] = 1; barrier(1); p[0] = a[p[2]]; }",
    )
    assert found.exact == 64


def test_programs_that_differ(tmp_path: Path) -> None:
    second = "#define N 128\ntypedef float T;"
    found = _memory(tmp_path, {"a.cpp": _TWO, "b.hpp": _OTHER}, first=_FIRST, second=second)
    assert (found.lowest, found.highest) == (256, 512)


def test_a_default_may_be_given_by_the_host(tmp_path: Path) -> None:
    default = "typedef float T;\n#ifndef N\n#define N 64\n#endif"
    assert _memory(tmp_path, {"a.cpp": _TWO}, first=default).highest is None
    condition = (
        "#ifndef S\n#define S 0\n#endif\n#if S == 1\n#define N 64\n#else\n#define N 32\n#endif\ntypedef float T;"
    )
    assert _memory(tmp_path, {"a.cpp": _TWO}, first=condition).exact is None


def test_the_sequences_of_a_host() -> None:
    text = (
        b'#include "a.cl" /* one */\n,\n  # include "b.cl"\n#include "x.h"\n#include "c.cl"\n+ f() +\n#include "d.cl"'
    )
    assert programs_of(text) == (("a.cl", "b.cl"), ("c.cl",), ("d.cl",))
