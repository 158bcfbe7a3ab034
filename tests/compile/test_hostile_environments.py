"""A Python environment inside the workspace, as anybody may commit one: its headers are text, all else is let be.

Real compilers; the canary must not appear.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from occupancy_lsp.compile.confined import confinement
from occupancy_lsp.compile.environments import folders_of
from occupancy_lsp.compile.job import IS_WINDOWS
from occupancy_lsp.compile.toolchains import Machine, find_clang, find_nvcc, find_ocloc, host_compiler

from .conftest import Compile
from .test_environments import KERNEL, SITE, brings

pytestmark = pytest.mark.skipif(IS_WINDOWS, reason="scripts and links")

NAMES = "python python3 nvcc gcc g++ cc c++ cc1plus as ld clang clang++ ocloc ninja cicc ptxas"
PROGRAMS = (
    *(f"bin/{it}" for it in NAMES.split()),
    *(f"{SITE}/nvidia/cu13/{it}" for it in ("bin/nvcc", "bin/ptxas", "bin/cudafe++", "bin/gcc", "nvvm/bin/cicc")),
    f"{SITE}/ziglang/zig",
)
MODULES = ("sitecustomize.py", "usercustomize.py", "x.pth", "torch/__init__.py", "ziglang/__init__.py", "sysconfig.py")


@pytest.fixture
def canary(tmp_path: Path, workspace: Path) -> Path:
    """What would leave it is all over the workspace's environment; a header there is what the source lacks."""
    environment, canary = workspace / ".venv", tmp_path / "canary"
    for name in (*PROGRAMS, *(f"{SITE}/{it}" for it in MODULES)):
        path = environment / name
        path.parent.mkdir(parents=True, exist_ok=True)
        script = f'#!/bin/sh\ntouch "{canary}"\nexit 1\n'
        path.write_text(script if name in PROGRAMS else f"import os; open({str(canary)!r}, 'w')\n")
        path.chmod(0o755)
    header = brings(environment, "nvidia/cu13/include/mine.h")
    # A precompiled header is an image of a compiler's memory.
    subprocess.run(["gcc", "-x", "c++-header", header, "-o", f"{header}.gch"], check=True)
    (environment / SITE / "nvidia" / "cu13" / "bin" / "nvcc.profile").write_text("PATH = .\nCICC_PATH = .\n")
    (environment / "pyvenv.cfg").write_text(
        f"home = {environment / 'bin'}\nexecutable = {environment / 'bin/python'}\n"
    )
    (workspace / "k.cu").write_text(KERNEL.format("mine.h"))
    return canary


def test_nothing_of_it_is_run(
    compile_: Compile, workspace: Path, canary: Path, bare: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though it is active, before all else on the PATH, named by every variable, and this program's own."""
    environment = workspace / ".venv"
    link = workspace.parent / "link"
    link.symlink_to(environment)
    for at in (environment, link):
        kit = str(at / SITE / "nvidia" / "cu13")
        path = os.pathsep.join((str(at / "bin"), f"{kit}/bin", bare.environment["PATH"]))
        named = dict.fromkeys(("VIRTUAL_ENV", "CONDA_PREFIX", "ROCM_PATH", "HIP_PATH"), str(at))
        named |= {"PATH": path, "CUDA_HOME": kit, "CUDA_PATH": kit, "NVCC_CCBIN": str(at / "bin" / "gcc")}
        for name, value in named.items():
            monkeypatch.setenv(name, value)
        machine = replace(bare, environment={**bare.environment, **named}, site=(at / SITE,), python=at)
        found = [it.start[0] for find in (find_nvcc, find_clang, find_ocloc) for it in find(machine, workspace)]
        found.append(host_compiler(machine, workspace) or "")
        assert found and not [it for it in found if str(environment) in os.path.realpath(it)]
        (usage,) = compile_("k.cu", "sm_90", machine=machine).usages
        assert "headers also from nvidia/cu13 in" in usage.how
        assert not canary.exists()


def test_without_any_other_compiler(compile_: Compile, workspace: Path, canary: Path, bare: Machine) -> None:
    """That of the workspace's own environment is not run, and it is said what to do."""
    environment = workspace / ".venv"
    machine = Machine({"PATH": str(environment / "bin")}, (environment / SITE,), ())
    (problem,) = compile_("k.cu", "sm_90", machine=machine).problems
    advice = f"`pip install occupancy-lsp[nvidia]` in an environment outside {workspace}, in which nothing is run"
    assert problem.message == f"not compiled: no nvcc: install CUDA's toolkit, or {advice}"
    (problem,) = compile_("k.cu", "gfx90a", machine=machine, language="hip").problems
    assert "pip install occupancy-lsp[amd]` in an environment outside" in problem.message
    assert not canary.exists()


def test_links_out_of_it_are_not_followed(workspace: Path, tmp_path: Path, bare: Machine) -> None:
    secret = tmp_path / "outside" / "secret"
    for name in ("", "include", "include/torch/csrc/api/include", "python3.11/site-packages/pybind11/include"):
        brings_to(secret / name / "mine.h")
    brings_to(secret / "Python.h")
    brings_to(secret / "all" / SITE / "pybind11" / "include" / "mine.h")
    environment = workspace / ".venv"
    for link, target in (
        (f"{SITE}/pybind11/include", secret),
        (f"{SITE}/pybind11", secret),
        (f"{SITE}/nvidia", secret.parent),
        (f"{SITE}/torch", secret),
        (SITE, secret / "python3.11" / "site-packages"),
        ("lib", secret),
        ("include/python3.11", secret),
        ("", secret / "all"),
    ):
        path = environment / link
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
        assert folders_of("mine.h", bare, workspace) == (), link
        path.unlink()
        shutil.copytree(target, path)
        assert folders_of("mine.h", bare, workspace), link
        shutil.rmtree(environment)
    header = brings(environment, "pybind11/include/mine.h")
    assert folders_of("mine.h", bare, workspace) == (header.parent,)
    for odd in ("../include/mine.h", str(header), "./mine.h", "", "mine.h\0", ".hidden"):
        assert folders_of(odd, bare, workspace) == ()


def brings_to(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#define VALUE 42\n")


@pytest.mark.skipif("files by Landlock" not in confinement(), reason="no Landlock here")
def test_a_header_there_that_is_a_link(compile_: Compile, workspace: Path, tmp_path: Path, bare: Machine) -> None:
    """The compiler would read it, and quote it in an error."""
    secret = tmp_path / "secret.h"
    secret.write_text("#define VALUE hunter2\n")
    header = brings(workspace / ".venv", "pybind11/include/mine.h")
    (workspace / "k.cu").write_text(KERNEL.format("mine.h"))
    assert compile_("k.cu", "sm_90", machine=bare).usages
    header.unlink()
    header.symlink_to(secret)
    reading = compile_("k.cu", "sm_90", machine=bare)
    assert reading.problems and "hunter2" not in str(reading) and not reading.usages


def test_the_python_that_it_says_it_was_made_with(workspace: Path, tmp_path: Path, bare: Machine) -> None:
    """Any folder may be named; only a Python's own headers are taken from there."""
    environment, other = workspace / ".venv", tmp_path / "other"
    environment.mkdir()
    for name in ("include/python3.11/mine.h", "include/mine.h", "mine.h", "lib/python3.11/site-packages/mine.h"):
        brings_to(other / name)
    for home in (other / "bin", other / "include" / "x", other, f"{other}/bin/../bin", "../other/bin", "/"):
        (environment / "pyvenv.cfg").write_text(f"home = {home}\n")
        assert folders_of("mine.h", bare, workspace) == ()
    brings_to(other / "include" / "python3.11" / "Python.h")
    (environment / "pyvenv.cfg").write_text(f"home = {other / 'bin'}\n")
    assert folders_of("Python.h", bare, workspace) == (other / "include" / "python3.11",)
    # Not where that is said by a file outside, or never said.
    stated = tmp_path / "pyvenv.cfg"
    (environment / "pyvenv.cfg").rename(stated)
    (environment / "pyvenv.cfg").symlink_to(stated)
    assert folders_of("mine.h", bare, workspace) == ()
    (environment / "pyvenv.cfg").unlink()
    os.mkfifo(environment / "pyvenv.cfg")
    assert folders_of("mine.h", bare, workspace) == ()
