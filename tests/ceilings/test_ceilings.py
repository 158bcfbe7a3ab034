"""A part of `python -m tests.ceilings`: the register ceilings are those of the compilers that the wheels bring."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from occupancy_lsp.source.lex.dialect import HIP
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from tests.compilers import WHEELS, clang

from . import amd, nvidia

PTXAS = nvidia.find_ptxas(WHEELS)  # there is none for macOS
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
        found = list(nvidia.compared(PTXAS, arch, heads))
        assert [it.used for it in found] == [24, 24, 24, 25, 254, 255, 255]
        assert all(it.exact for it in found)


@of_nvidia
@pytest.mark.parametrize("option", [None, 40])
def test_a_linked_kernel_keeps_its_ceiling(option: int | None, tmp_path: Path) -> None:
    """nvlink refuses a function of another file that needs more, and says what the kernel may have."""
    heads = [nvidia.Head("__launch_bounds__", 1024, 2), nvidia.Head("__launch_bounds__", 512), nvidia.Head("")]
    heads.append(nvidia.Head("__maxnreg__", 32))
    assert PTXAS is not None
    found = [nvidia.linked(PTXAS, it, option, tmp_path) for it in heads]
    assert [ceiling for ceiling, _ in found] == [32, 128, option or 255, 32]
    assert [most for _, most in found] == [32, 128, option, 32]


@pytest.mark.parametrize("target", amd.TARGETS)
def test_what_llvm_allocates(target: str) -> None:
    found = list(amd.compared(clang(), target, amd.heads(target, 24)))
    assert [str(it) for it in found if not it.exact] == []
    assert len(found) == 24 and len({it.ceiling for it in found}) > 3


@pytest.mark.parametrize(
    ("sizes", "waves", "local", "ceiling"),
    [
        ((768, 768), (9,), 0, 28),
        ((768, 768), (10,), 0, 84),  # three groups of twelve waves leave slots empty
        ((1, 768), (10,), 0, 24),  # which smaller groups fill
        ((1, 256), (4,), 16384, 64),
        ((1, 256), (4,), 32768, 256),  # two groups of four waves
        ((1, 256), (8,), 16384, 256),
        ((1, 768), (8,), 16384, 32),
        ((1, 768), (8,), 32768, 84),
        ((1, 256), (4, 10), 0, 64),
        ((1, 256), (4, 11), 0, 256),  # more than the slots
    ],
)
def test_what_llvm_ignores(sizes: tuple[int, int], waves: tuple[int, ...], local: int, ceiling: int) -> None:
    (found,) = amd.compared(clang(), "gfx900", [amd.Head(HIP, "amdgpu_flat_work_group_size", sizes, waves, local)])
    assert found.exact, str(found)
    assert found.ceiling == ceiling
