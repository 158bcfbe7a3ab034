"""Code for AMD's generic targets: whose it is. The table is that of LLVM's User Guide for AMDGPU Backend."""

from __future__ import annotations

import pytest

from occupancy_lsp.builds.attribution import Attribution, on_architecture
from occupancy_lsp.core.naming import is_code_for
from occupancy_lsp.counts.usage import Usage


@pytest.mark.parametrize(
    ("generic", "runs", "does_not"),
    [
        ("gfx9-generic", "gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c", "gfx908 gfx90a gfx942 gfx803"),
        ("gfx9-4-generic", "gfx940 gfx941 gfx942 gfx950", "gfx90a gfx908 gfx906"),
        ("gfx10-1-generic", "gfx1010 gfx1011 gfx1012 gfx1013", "gfx1030 gfx1100"),
        ("gfx10-3-generic", "gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036", "gfx1010 gfx1100"),
        ("gfx11-generic", "gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153", "gfx1030 gfx1200"),
        ("gfx12-generic", "gfx1200 gfx1201", "gfx1100 gfx1250"),
    ],
)
def test_who_runs_it(generic: str, runs: str, does_not: str) -> None:
    assert all(is_code_for(generic, it) for it in runs.split())
    assert not any(is_code_for(generic, it) for it in does_not.split())
    assert not any(is_code_for(it, generic) for it in runs.split())


def _count(arch: str, registers: int) -> Usage:
    return Usage("k", "compiled", f"{arch}.s", 1, registers=registers, arch=arch)


def test_code_for_the_device_itself_is_preferred() -> None:
    general, own, other = _count("gfx9-4-generic", 40), _count("gfx942", 32), _count("gfx90a", 24)
    assert on_architecture(Attribution((general, other)), "gfx942").used == (general,)
    found = on_architecture(Attribution((general, own, other)), "gfx942")
    assert found.used == (own,)
    assert [it.why for it in found.unused if it.usage is general] == [
        "for gfx9-4-generic, and there is code for gfx942"
    ]
    assert on_architecture(Attribution((general, own, other)), "gfx950").used == (general,)
