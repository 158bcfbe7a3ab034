"""What bounds allow of vector registers, against LLVM's own counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.amd.bounds import register_ceiling, waves_honoured, waves_of_one_group
from occupancy_lsp.vendors.amd.compiler import per_limiter
from occupancy_lsp.vendors.amd.rule import occupancy

from .amd_support import amd, archs, rows
from .conftest import Validated

architectures: st.SearchStrategy[AmdArch] = st.deferred(lambda: st.sampled_from(list(archs().values())))


def test_llvm_14_fills_what_the_bounds_allow(validated: Validated) -> None:
    """300 live floats under 23 bounds, compiled by llc 14.0.6: a kernel takes all that it may, or what it needs.

    `vgprs` and `agprs` as its comments print them; on gfx90a both are of the one file.
    """
    seen = {"exact": 0, "fits": 0}
    for row in rows("llvm14-register-ceilings.csv"):
        arch = amd(row["target"])
        limits = int(row["max_threads"]), int(row["waves_per_eu"]), int(row["wave"]), row["mode"]
        ceiling = register_ceiling(arch, *limits)
        used = int(row["vgprs"]) + (int(row["agprs"]) if arch.accumulation == "unified" else 0)
        if ceiling <= 300:
            assert used == ceiling, row
            seen["exact"] += 1
        else:
            assert 300 < used < ceiling, row
            seen["fits"] += 1
    assert seen == {"exact": 293, "fits": 6}
    validated("AMD", "LLVM 14: vector registers under 23 bounds, 7 targets", 299)


@pytest.mark.parametrize(
    ("arch", "threads", "waves", "ceiling"),
    [
        # clang 16, 19 and 22, a kernel that needs more than it gets (samples/amd/bounds)
        ("gfx900", 1024, None, 64),
        ("gfx900", 512, None, 128),
        ("gfx900", 256, None, 256),
        ("gfx900", 256, 2, 128),
        ("gfx900", 256, 4, 64),
        ("gfx900", 256, 8, 32),
        ("gfx900", 1024, 1, 64),  # fewer than one group has: ignored
        ("gfx900", 1024, 2, 64),
        ("gfx900", 1024, 8, 32),
        ("gfx90a", 1024, None, 128),
        ("gfx90a", 512, None, 256),
        ("gfx90a", 256, None, 512),
        ("gfx90a", 256, 2, 256),
        ("gfx90a", 256, 4, 128),
        ("gfx90a", 256, 8, 64),
        ("gfx1100", 1024, None, 192),
        ("gfx1100", 512, None, 256),
        ("gfx1100", 256, 4, 256),
        ("gfx1100", 256, 8, 192),
        # the kernel of Omniperf's example with __launch_bounds__(1024, 8): "reduces our maximum VGPRs to 64"
        ("gfx90a", 1024, 8, 64),
        ("gfx900", 256, 11, 256),  # more than the slots: ignored
        ("gfx803-polaris", 256, 10, 24),  # LLVM reckons with ten slots
        ("gfx1250", 1024, None, 128),
        ("gfx900", 1025, None, 256),
        ("gfx900", 0, 4, 256),
    ],
)
def test_ceilings(arch: str, threads: int, waves: int | None, ceiling: int) -> None:
    assert register_ceiling(amd(arch), threads, waves) == ceiling
    assert amd(arch).register_ceiling(threads, waves) == ceiling


@pytest.mark.parametrize(
    ("wave", "mode", "ceiling"), [(32, "wgp", 192), (64, "wgp", 192), (32, "cu", 96), (64, "cu", 96)]
)
def test_mode_and_wave_decide(wave: int, mode: str, ceiling: int) -> None:
    assert register_ceiling(amd("gfx1100"), 1024, None, wave, mode) == ceiling


def test_what_is_heeded() -> None:
    assert waves_of_one_group(amd("gfx900"), 1024) == 4
    assert [waves_honoured(amd("gfx900"), 1024, waves) for waves in (3, 4, 10, 11)] == [False, True, True, False]
    assert [amd("gfx90a").min_groups_honoured(256, waves) for waves in (1, 8, 9)] == [True, True, False]


@given(architectures, st.integers(1, 1024), st.integers(0, 24), st.data())
def test_the_ceiling_is_the_most_registers_that_keep_the_bound(
    arch: AmdArch, threads: int, waves: int, data: st.DataObject
) -> None:
    if arch.vliw or threads > arch.max_group_size:
        return
    wave, mode = data.draw(st.sampled_from(arch.sub_group_sizes)), data.draw(st.sampled_from(arch.modes))
    ceiling = register_ceiling(arch, threads, waves, wave, mode)
    wanted = waves_of_one_group(arch, threads, wave, mode)
    if waves_honoured(arch, threads, waves, wave, mode):
        wanted = waves

    def printed(registers: int) -> int:
        return (per_limiter(arch, Need(1, registers, sub_group=wave, mode=mode)) or {})["registers"]

    assert printed(ceiling) >= wanted
    assert ceiling == arch.max_registers or printed(ceiling + 1) < wanted
    # with so few registers one group always fits
    assert occupancy(arch, Need(threads, ceiling, sub_group=wave, mode=mode)).groups >= 1
