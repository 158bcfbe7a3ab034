"""What the strings of an OpenCL host may define, and what that decides of its programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.session.project import Project
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.workspace.host_macros import ANY, host_macros, macros_in_python
from occupancy_lsp.workspace.program_options import options_in_python


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('sprintf(o, "-DN=%d -D FAST  -I.", n);', ["FAST", "N"]),
        ('options += " -DWG=" + size;', ["WG"]),
        ('build("-DA", "-DB"); o = "-DC"; f("-DD" " -DE" "=1");', ["A", "B", "C", "D", "E"]),
        ('"%s-DX=" Zu "\\n-DY\\t-DZ"', ["X", "Y", "Z"]),
        ('source = "#define T float\\n# define U(x) x\\n";', ["T", "U"]),
        ('"long text \\\n  -DM=1"', ["M"]),
        ("#define OWN 1\nint a = b -D; // -DNOT", []),
        ('"Ctl-D, L1-DCACHE, see -D, -D. or -D<name>"', []),
        ('s = R"(\n#define IN_TEXT 1\n)";', ["IN_TEXT"]),
        ('"-D" + name', [ANY]),
        ('{"-D", name}', [ANY]),
        ('"-D%s"', [ANY]),
        ('"-DWG_" << axis', [ANY]),
        ('"-DWG_%d"', [ANY]),
        ('"-D" NAME', [ANY]),
        ('"#define " + name', [ANY]),
        ('"-D__" KIND', []),  # every name that starts so may be defined anyway
    ],
)
def test_names_in_strings(text: str, names: list[str]) -> None:
    assert list(host_macros(text.encode(), False)) == names


def test_a_program_defines_for_those_after_it() -> None:
    assert host_macros(b"#define A 1\n  #  define B\n#if -DC\n", True) == ("A", "B")


_KERNEL = """#ifdef DOUBLE
typedef double T;
#else
typedef float T;
#endif
__kernel void k(__global T* p) { __local T a[64]; a[get_local_id(0)] = p[0]; barrier(1); p[0] = a[1]; }
"""


def _bytes(root: Path, files: dict[str, str], kernel: str = _KERNEL) -> int | None:
    for name, text in {**files, "k.cl": kernel}.items():
        (root / name).write_text(text)
    project = Project(root)
    project.read_sources(lambda: False, lambda done, total: None)
    source = root / "k.cl"
    dialect = project.dialect(source, "", source.read_bytes())
    assert dialect is not None
    read = Source(source.read_bytes(), dialect)
    (found,) = read.facts({}, project.around(source, read)).kernels
    return found.summary.local.exact


_BUILD = "clBuildProgram(program, 1, &device, %s, NULL, NULL);"


@pytest.mark.parametrize(
    ("files", "size"),
    [
        ({"host.c": _BUILD % '"-DOTHER"'}, 256),
        ({"host.c": _BUILD % "NULL"}, 256),
        ({"host.c": _BUILD % '"-DDOUBLE"'}, None),
        ({"host.c": _BUILD % "options", "options.h": '#define OPTIONS "-D DOUBLE=1"'}, None),
        ({"host.c": _BUILD % '"-D" KIND'}, None),
        ({"host.c": _BUILD % "NULL", "common.cl": "#define DOUBLE\n"}, None),  # the host may put it before the kernel
        ({"host.c": _BUILD % "NULL", "Makefile": "CFLAGS += -DDOUBLE\n"}, None),
        ({"other.c": "int main() { return 0; }"}, None),  # who builds it is not in sight
        ({}, None),
    ],
)
def test_a_name_that_no_host_gives_is_undefined(tmp_path: Path, files: dict[str, str], size: int | None) -> None:
    assert _bytes(tmp_path, files) == size


def test_a_default_in_a_part_of_a_program(tmp_path: Path) -> None:
    part = 'R"(\n#ifndef N\n#define N 64\n#endif\n' + _KERNEL.replace("64", "N").replace("DOUBLE", "OTHER") + ')"\n'
    assert _bytes(tmp_path, {"host.cpp": _BUILD % "NULL"}, part) == 256
    host = 'auto source =\n#include "k.cl"\n;\n'
    assert _bytes(tmp_path, {"host.cpp": host + _BUILD % "NULL"}, part) == 256
    assert _bytes(tmp_path, {"host.cpp": host + _BUILD % '"-DN=8"'}, part) is None


_DEFAULT = """#ifndef N
#define N 64
#endif
__kernel void k(__global int* p) { __local int a[N]; a[get_local_id(0)] = p[0]; barrier(1); p[0] = a[p[1]]; }
"""
_PYTHON = "import pyopencl as cl\nprogram = cl.Program(context, open('k.cl').read()).build({})\n"


@pytest.mark.parametrize(
    ("files", "size"),
    [
        ({}, 256),
        ({"host.c": 'clBuildProgram(p, 0, 0, "-DM=3", 0, 0);'}, 256),
        ({"host.c": 'clBuildProgram(p, 0, 0, "-DN=128", 0, 0);'}, None),
        ({"host.c": 'sprintf(o, "-DN=%d", n); clBuildProgram(p, 0, 0, o, 0, 0);'}, None),
        ({"options.h": '#define OPTIONS "-DN=128"', "host.c": "clBuildProgram(p, 0, 0, OPTIONS, 0, 0);"}, None),
        ({"other.cl": "#define N 128", "host.c": 'clBuildProgram(p, 0, 0, "", 0, 0);'}, 256),
        ({"host.c": 'strcat(strcpy(o, "-D"), name); clBuildProgram(p, 0, 0, o, 0, 0);'}, None),
        ({"host.cpp": 'o = "-D" + name + "=" + n; clBuildProgram(p, 0, 0, o, 0, 0);'}, None),
        ({"tool.c": 'o = "-D" + name;', "host.c": 'clBuildProgram(p, 0, 0, "", 0, 0);'}, None),
        ({"host.py": _PYTHON.format("'-D' + name")}, None),
        ({"host.py": _PYTHON.format("")}, 256),
        ({"host.py": _PYTHON.format("options='-DN=128'")}, None),
        ({"host.py": _PYTHON.format("['-D N=128']")}, None),
        ({"host.py": _PYTHON.format('f"-DN={n}"')}, None),
        ({"tool.py": "flags = '-DN=128'"}, 256),
    ],
)
def test_a_default_is_none_where_a_host_gives_the_macro(
    tmp_path: Path, files: dict[str, str], size: int | None
) -> None:
    assert _bytes(tmp_path, files, _DEFAULT) == size


@pytest.mark.parametrize(
    ("text", "names"),
    [("'-DN=1'", ["N"]), ('["-DA", f"-DB={b}"]', ["A", "B"]), ("'-D' + name", [ANY]), ("f'-D{name}=1'", [ANY])],
)
def test_names_in_strings_of_python(text: str, names: list[str]) -> None:
    assert list(macros_in_python(text.encode())) == names


_LARGE = "-cl-intel-256-GRF-per-thread"


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ("", [""]),
        (f"'{_LARGE}'", [_LARGE]),
        (f'options="-DN=4 {_LARGE}", devices=devices', [_LARGE]),
        (f"options=['-DN=4', '{_LARGE}']", [_LARGE]),
        (f"['-DN=4',\n  '{_LARGE}',\n]", [_LARGE]),
        ("options", [""]),
        (f"['{_LARGE}'] if wide else []", ["", _LARGE]),
        (f"['{_LARGE}', *more]", ["", _LARGE]),
        (f"f'-DN={{n}} {_LARGE}'", ["", _LARGE]),
    ],
)
def test_options_of_pyopencl(given: str, options: list[str]) -> None:
    assert list(options_in_python(_PYTHON.format(given).encode(), True)) == options


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (f"OPTIONS = '{_LARGE}'", ["", _LARGE]),
        (f"from gpu import program; program.build('{_LARGE}')", ["", _LARGE]),
        ("model.build(shape)", []),
    ],
)
def test_options_that_stand_beside_hosts_of_pyopencl(text: str, options: list[str]) -> None:
    assert list(options_in_python(text.encode(), False)) == options
