"""A part of `python -m tests.ceilings`: the register ceilings are those of the compilers that the wheels bring."""

from __future__ import annotations

import sys

import pytest

from occupancy_lsp.compile.toolchains import Machine, find_clang
from occupancy_lsp.model.device import NvidiaArch

from . import amd, nvidia

# Without what else may be installed: the development extra brings it; there are none of NVIDIA's for macOS.
WHEELS = Machine({"PATH": "/usr/bin:/bin"}, Machine.here().site, ())
PTXAS = nvidia.find_ptxas(WHEELS)
CLANG = next(find_clang(WHEELS, None))
of_nvidia = pytest.mark.skipif(sys.platform == "darwin", reason="no ptxas for macOS")


@of_nvidia
def test_launch_bounds() -> None:
    assert PTXAS is not None
    found = list(nvidia.triples(PTXAS, 300))
    assert [str(it) for it in found if not it.exact] == []
    assert len(found) == 300 and len({it.arch for it in found}) >= 12


@of_nvidia
def test_other_heads_and_the_command_line() -> None:
    assert PTXAS is not None
    found = list(nvidia.others(PTXAS, 100))
    assert [str(it) for it in found if not it.exact] == []
    assert any("__maxnreg__" in it.head for it in found) and any("--maxrregcount" in it.head for it in found)


@of_nvidia
def test_few_registers_are_raised_and_many_are_none() -> None:
    assert PTXAS is not None
    for arch in nvidia.targets(PTXAS):
        assert isinstance(arch, NvidiaArch)
        heads = [nvidia.Head("__maxnreg__", it) for it in (1, 23, 24, 25, 254, 255, 256)]
        assert [it.used for it in nvidia.compared(PTXAS, arch, heads)] == [24, 24, 24, 25, 254, 255, 255]


@pytest.mark.parametrize("target", amd.TARGETS)
def test_what_llvm_allocates(target: str) -> None:
    found = list(amd.compared(CLANG, target, 24))
    assert [str(it) for it in found if not it.exact] == []
    assert len(found) == 24 and len({it.ceiling for it in found}) > 3
