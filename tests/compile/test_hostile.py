"""A workspace that wants something of its own to be run. Real compilers; the canary must not appear."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from occupancy_lsp.compile.toolchains import Machine, find_clang, find_nvcc, ranked, search_path
from occupancy_lsp.workspace.compile_commands import commands_for
from tests.cli.support import occupancy
from tests.compilers import WHEELS
from tests.presets import CATALOGUE

from .conftest import Compile
from .hostile import write_workspace

KERNEL = "__global__ void k(float* p) { p[threadIdx.x] *= 2; }\n"


@pytest.fixture
def canary(tmp_path: Path, workspace: Path) -> Path:
    """Programs by all names that a compiler could be asked for, which all leave a canary."""
    canary = tmp_path / "canary"
    names = "evil.sh nvcc gcc g++ cc c++ cc1plus as ld cicc ptxas cudafe++ fatbinary clang clang++ cl cl.exe sh ccache"
    for name in (*names.split(), "bin/nvcc", "bin/ptxas", "nvvm/bin/cicc"):
        script = workspace / name
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(f'#!/bin/sh\ntouch "{canary}"\nexit 1\n')
        script.chmod(0o755)
    (workspace / "k.cu").write_text(KERNEL)
    (workspace / "evil.rsp").write_text("-ccbin ./gcc --compiler-bindir . -Xcompiler -B. -Xcompiler -wrapper,./evil.sh")
    (workspace / "nvcc.profile").write_text("PATH = .\nCICC_PATH = .\n")
    return canary


@pytest.mark.parametrize(
    "recipe",
    [
        "./evil.sh k.cu",
        "./nvcc -ccbin ./gcc -Xcompiler -B. @evil.rsp k.cu",
        "$(shell ./evil.sh) nvcc -I$(shell ./evil.sh) '-DX=$$(./evil.sh)' k.cu",
        "nvcc k.cu; ./evil.sh && `./evil.sh`",
        "$(eval $(shell ./evil.sh)) $(call run,./evil.sh) nvcc -fplugin=./evil.sh --options-file evil.rsp k.cu",
    ],
)
def test_what_a_makefile_names_is_not_run(
    compile_: Compile, canary: Path, recipe: str, monkeypatch: pytest.MonkeyPatch, workspace: Path
) -> None:
    monkeypatch.chdir(workspace)
    lines = f"X := $(shell ./evil.sh)\nY != ./evil.sh\nCC = ./nvcc\nk: k.cu\n\t{recipe}\n\t+./evil.sh\n"
    (workspace / "Makefile").write_text(lines)
    reading = compile_("k.cu", "sm_90")
    assert [it.kernel for it in reading.usages] == ["_Z1kPf"] and not canary.exists()


# What a build file may want for a source; the last is the shell's, if anybody hands it to one.
WANTED = [
    "-ccbin ./gcc --compiler-bindir=. -fplugin=./evil.sh -wrapper ./evil.sh -B. @evil.rsp --options-file evil.rsp "
    "-Xcompiler -fplugin=./evil.sh -Xptxas '-O1 -o evil.sh' -specs=evil.rsp --profile nvcc.profile -ldir .",
    "'-DX=$(touch CANARY)' '-DY=`touch CANARY`' '-I$(touch CANARY)' '-maxrregcount=1;touch CANARY' ';touch CANARY'",
]


@pytest.mark.parametrize(
    "name, wanted",
    [
        *(("CMakeLists.txt", it) for it in WANTED),
        ("setup.py", WANTED[0]),
        ("ops/k.py", WANTED[1]),
        ("jit.py", WANTED[0]),
    ],
)
def test_what_a_build_file_wants_is_not_run(
    compile_: Compile, canary: Path, name: str, wanted: str, monkeypatch: pytest.MonkeyPatch, workspace: Path
) -> None:
    monkeypatch.chdir(workspace)
    words = shlex.split(wanted.replace("CANARY", str(canary)))
    quoted = " ".join('"{}"'.format(it.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")) for it in words)
    (workspace / "CMakeLists.txt" if name == "CMakeLists.txt" else workspace / "unused.cmake").write_text(
        "set(CMAKE_CUDA_COMPILER ./nvcc)\nset(CMAKE_CUDA_HOST_COMPILER ./gcc)\n"
        "set(CMAKE_CXX_COMPILER_LAUNCHER ./evil.sh)\n"
        "execute_process(COMMAND ./evil.sh)\nadd_custom_command(OUTPUT x COMMAND ./evil.sh)\ntry_run(A B ./evil.sh)\n"
        f'load_command(./evil.sh)\ncmake_language(EVAL CODE "execute_process(COMMAND ./evil.sh)")\n'
        f"add_library(k k.cu)\ntarget_compile_options(k PRIVATE {quoted})\n"
    )
    head = "import os, subprocess\nsubprocess.run('./evil.sh')\nos.system('./evil.sh')\n"
    scripts = {
        "setup.py": f"CUDAExtension('k', ['k.cu'], extra_compile_args={words!r})\n",
        "ops/k.py": "import evil\nclass K(object, metaclass=evil.sh('./evil.sh')):\n    def build(self):\n"
        f"        return CUDAExtension('k', ['k.cu'], extra_compile_args={words!r})\n",
        "jit.py": "from torch.utils.cpp_extension import load\nimport evil\nevil.sh('./evil.sh')\n"
        f"load('k', ['k.cu'], extra_cuda_cflags={words!r}, build_directory='.', is_python_module=False)\n",
    }
    (workspace / "ops").mkdir()
    for script in {"setup.py", name} & scripts.keys():
        (workspace / script).write_text(head + (scripts[script] if script == name else ""))
    reading = compile_("k.cu", "sm_90")
    assert not canary.exists()
    if reading.usages:
        assert f"as {name} says" in reading.usages[0].how
    else:
        assert "cannot safely name" in reading.problems[0].message


@pytest.mark.parametrize(
    "command",
    [
        ["./evil.sh", "k.cu"],
        ["nvcc", "k.cu"],
        ["bin/nvcc", "k.cu"],
        ["nvcc", "-ccbin", "./gcc", "k.cu"],
        ["nvcc", "-ccbin=.", "k.cu"],
        ["nvcc", "--compiler-bindir=./gcc", "k.cu"],
        ["nvcc", "-Xcompiler", "-B.", "-Xcompiler=-wrapper,./evil.sh", "k.cu"],
        ["nvcc", "-Xcompiler", "-fplugin=./evil.sh", "-fplugin=./evil.sh", "k.cu"],
        ["nvcc", "-Xcompiler", "-specs=evil.rsp", "-specs=evil.rsp", "k.cu"],
        ["nvcc", "@evil.rsp", "k.cu"],
        ["nvcc", "--options-file", "evil.rsp", "-optf", "evil.rsp", "k.cu"],
        ["nvcc", "--dryrun", "--run", "k.cu"],
        ["nvcc", "--cuda-path=.", "-prefer-gcc", "-target-dir", ".", "-ldir", ".", "-idp", ".", "k.cu"],
        ["nvcc", "-aug-hls", "--nvvm-path=.", "-b", ".", "--profile", "nvcc.profile", "k.cu"],
        ["ccache", "./evil.sh", "k.cu"],
        ["nvcc", "-DX=$(touch CANARY)", "k.cu"],
        ["nvcc", "-DX=`touch CANARY`", "k.cu"],
        ["nvcc", '-DX="; touch CANARY; echo "', "k.cu"],
        ["nvcc", "-DX='; touch CANARY; '", "k.cu"],
        ["nvcc", "-I$(touch CANARY)", "k.cu"],
        ["nvcc", "-isystem", "`touch CANARY`", "k.cu"],
        ["nvcc", "-include", '"; touch CANARY; "', "k.cu"],
        ["nvcc", "-iquote", "x'; touch CANARY; '", "k.cu"],
        ["nvcc", "-std=c++17;touch CANARY", "-maxrregcount=1;touch CANARY", "-arch=sm_90;touch CANARY", "k.cu"],
        ["nvcc", "-gencode", "arch=compute_90;touch CANARY,code=sm_90;touch CANARY", "k.cu"],
        ["nvcc", "-Xptxas", "-O3;touch CANARY", "-Xptxas=$(touch CANARY)", "k.cu"],
    ],
    ids=lambda command: " ".join(command)[:60],
)
def test_what_a_command_names_is_not_run(
    compile_: Compile, canary: Path, command: list[str], monkeypatch: pytest.MonkeyPatch, workspace: Path
) -> None:
    monkeypatch.chdir(workspace)
    compile_("k.cu", "sm_90", *(word.replace("CANARY", str(canary)) for word in command))
    assert not canary.exists()


def test_compile_commands(tmp_path: Path, workspace: Path) -> None:
    """By `occupancy-lsp compile`, of a folder with all of them; each is looked at."""
    canary = tmp_path / "canary"
    sources = write_workspace(workspace, canary)
    done = occupancy("compile", ".", "--device", "sm_90", "--device", "gfx90a", cwd=workspace)
    assert {line.partition(":")[0] for line in done.err.splitlines()} == {str(it) for it in sources}, done.err
    assert not canary.exists()


def test_quoted_folders_count(compile_: Compile, workspace: Path) -> None:
    """Whatever they are called; and they are told by that name."""
    for name in ("plain", "a b, c"):
        (workspace / name).mkdir()
        (workspace / name / f"{name}.h").write_text("#define SIZE 64\n")
    (workspace / "k.cu").write_text('#include "plain.h"\n#include "a b, c.h"\n' + KERNEL)
    command = ["nvcc", "-iquote", "plain", "-iquote", "a b, c", "-c", "k.cu"]
    assert compile_("k.cu", "sm_90", *command).usages
    (workspace / "a b, c" / "a b, c.h").write_text("#error no\n")
    (problem,) = compile_("k.cu", "sm_90", *command).problems
    assert (problem.path, problem.line) == (str(workspace / "a b, c" / "a b, c.h"), 1)


def test_precompiled_headers_of_the_workspace_are_not_loaded(compile_: Compile, workspace: Path) -> None:
    """They are images of a compiler's memory. gcc and clang take one for a header that they find beside it."""
    (workspace / "a.h").write_text("#define SIZE 2\n")
    for name in ("a.h.pch", "a.h.gch"):
        (workspace / name).write_text("not one")
    (workspace / "k.cu").write_text("__global__ void k(float* p) { *p = SIZE; }\n")
    assert compile_("k.cu", "sm_90", "nvcc", "-include", "a.h", "k.cu").usages
    assert compile_("k.cu", "gfx90a", "clang", "-include", "a.h", "k.cu", language="hip", machine=WHEELS).usages


def test_precompiled_headers_without_their_header(compile_: Compile, workspace: Path) -> None:
    """So that gcc would have to take it; made with what nvcc itself tells gcc."""
    (workspace / "a.h").write_text("#define SIZE 2\n")
    said = "-D__CUDA_ARCH__=900 -D__CUDA_ARCH_LIST__=900 -DCUDA_DOUBLE_MATH_FUNCTIONS -D__CUDACC__ -D__NVCC__ -w -m64"
    subprocess.run(["gcc", *said.split(), "-x", "c++-header", "a.h", "-o", "a.h.gch"], cwd=workspace, check=True)
    (workspace / "a.h").unlink()
    (workspace / "k.cu").write_text('#include "a.h"\n__global__ void k(float* p) { *p = SIZE; }\n')
    (problem,) = compile_("k.cu", "sm_90").problems
    assert "a.h: No such file" in problem.message


@pytest.mark.parametrize(
    "name", ["k$(touch CANARY).cu", "k`touch CANARY`.cu", 'k";touch CANARY;".cu', "k';touch CANARY;'.cu", "-o.cu"]
)
def test_names_of_files(
    compile_: Compile, canary: Path, workspace: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shell would start in the job's folder: the canary is a plain name there, and sought everywhere."""
    name = name.replace("CANARY", canary.name)
    (workspace / name).write_text(KERNEL)
    monkeypatch.chdir(workspace)
    reading = compile_(name, "sm_90")
    assert bool(reading.usages) == (name == "-o.cu")
    assert not list(canary.parent.rglob(canary.name))


@pytest.mark.parametrize("name", ["a b.cu", "(x) [1] + = @ ~.cu", "größe.cu"])
def test_names_that_only_look_odd(compile_: Compile, workspace: Path, name: str) -> None:
    (workspace / name).write_text(KERNEL)
    assert compile_(name, "sm_90").usages


def test_folders_of_the_workspace_are_not_searched(
    compile_: Compile, canary: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not on the PATH, not by a relative name, not behind a link; also for what nvcc itself looks for."""
    link = canary.parent / "link"
    link.symlink_to(workspace)
    folders = [".", "", "bin", str(workspace), str(workspace / "bin"), str(link), os.environ["PATH"]]
    monkeypatch.setenv("PATH", os.pathsep.join(folders))
    monkeypatch.setenv("CUDA_PATH", str(workspace))
    monkeypatch.chdir(workspace)
    machine = Machine.here()
    assert search_path(machine, workspace) == search_path(
        replace(machine, environment={"PATH": folders[-1]}), workspace
    )
    every = [*find_nvcc(machine, workspace), *find_clang(machine, workspace)]
    assert not [it for it in every if str(workspace) in os.path.realpath(it.start[0])]
    assert compile_("k.cu", "sm_90").usages
    assert not canary.exists()


def test_a_program_outside_that_the_command_names(compile_: Compile, canary: Path, workspace: Path) -> None:
    """It is no compiler that was found here, so it is not run either."""
    outside = canary.parent / "outside"
    outside.mkdir()
    (workspace / "nvcc").rename(outside / "nvcc")
    assert compile_("k.cu", "sm_90", str(outside / "nvcc"), "k.cu").usages
    assert not canary.exists()


def test_the_compiler_that_the_command_names_if_it_was_found(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "nvcc").write_text("")
        (tmp_path / name / "nvcc").chmod(0o755)
    machine = Machine({"PATH": os.pathsep.join(str(tmp_path / name) for name in ("old", "new"))}, (), ())
    found = list(find_nvcc(machine, None))
    for name in ("old", "new"):
        picked = ranked(found, str(tmp_path / name / "nvcc"))[0]
        assert picked.start == (str(tmp_path / name / "nvcc"),)
    picked = ranked(found, "nvcc")[0]
    assert picked.start == (str(tmp_path / "old" / "nvcc"),)


def test_caches_in_the_workspace_are_not_written(
    compile_: Compile, canary: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(workspace.rglob("*"))
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(workspace / "caches"))
    assert compile_("k.cu", "sm_90").usages
    assert sorted(workspace.rglob("*")) == before
    monkeypatch.setattr(tempfile, "tempdir", str(workspace))
    (problem,) = compile_("k.cu", "sm_90").problems
    assert "outside the workspace" in problem.message
    assert sorted(workspace.rglob("*")) == before


@pytest.mark.parametrize(
    "text",
    ["[", "{}", '[{"file": 1}]', '[{"file": "k.cu", "arguments": []}]', '[{"file":"k.cu","command":"nvcc \\"k"}]'],
)
def test_damaged_commands(compile_: Compile, canary: Path, workspace: Path, text: str) -> None:
    (workspace / "compile_commands.json").write_text(text)
    found = commands_for(workspace / "k.cu", workspace)
    assert not any(it.arguments for it in found)
    assert compile_("k.cu", "sm_90").usages


def test_endless_input(compile_: Compile, workspace: Path) -> None:
    """Ended by the next save at the latest."""
    (workspace / "k.cu").write_text('#include "/dev/zero"\n' + KERNEL)
    left = iter([False] * 20)
    (problem,) = compile_("k.cu", "sm_90", cancelled=lambda: next(left, True)).problems
    assert "not compiled" in problem.message


@pytest.mark.parametrize("name", ["sm_90;touch canary", "sm_90$(touch canary)", "../../sm_90", "--run"])
def test_architectures_of_the_workspace(compile_: Compile, canary: Path, name: str) -> None:
    device = CATALOGUE.find("h100")
    odd = replace(device, arch=replace(device.arch, id=name))
    (problem,) = compile_("k.cu", odd).problems
    assert "no compiler here knows" in problem.message
    assert not list(canary.parent.rglob(canary.name))


def test_many_entries(workspace: Path) -> None:
    said = [{"directory": str(workspace), "file": f"{i}.cu", "arguments": ["nvcc"]} for i in range(2000)]
    (workspace / "compile_commands.json").write_text(json.dumps(said))
    assert commands_for(workspace / "1999.cu", workspace)
