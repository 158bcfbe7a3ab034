from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.model.device import Architecture, Device
from occupancy_lsp.model.dispatch import occupancy
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.ranges import group_sizes
from occupancy_lsp.model.sweep import (
    best_group_sizes,
    dec_pow2,
    dec_warp,
    inc_pow2,
    inc_warp,
    max_resident_groups,
    optimal_group_size,
)

from .strategies import architectures
from .support import arch


def test_candidates() -> None:
    assert inc_pow2(arch("9.0")) == [32, 64, 128, 256, 512, 1024]
    assert inc_pow2(arch("1.0")) == [32, 64, 128, 256, 512]
    assert dec_pow2(arch("1.0")) == [512, 256, 128, 64, 32]
    assert inc_warp(arch("9.0"))[:3] == [32, 64, 96]
    assert dec_warp(arch("9.0"))[::31] == [1024, 32]


@given(
    architectures,
    st.integers(1, 200),
    st.integers(-60, 60),
    st.integers(0, 9000),
    st.integers(0, 64),
    st.sampled_from([inc_pow2, dec_pow2, inc_warp, dec_warp, None]),
)
def test_the_optimal_size_is_the_last_of_the_best(
    arch: Architecture, registers: int, slope: int, local: int, per_thread: int, generator: object
) -> None:
    def registers_of(size: int) -> int:
        return max(1, registers + slope * size // 1024)

    def local_of(size: int) -> int:
        return local + per_thread * size

    candidates = generator(arch) if callable(generator) else None
    size, result = optimal_group_size(arch, registers_of, local_of, candidates)
    tried = candidates or dec_warp(arch)
    fills = [occupancy(arch, Need(each, registers_of(each), local_of(each))).sub_groups for each in tried]
    last = max(position for position, fill in enumerate(fills) if fill == max(fills))
    assert (size, result.sub_groups) == (tried[last], max(fills))


def test_optimal_size_in_the_field() -> None:
    size, result = optimal_group_size(arch("9.0"), lambda _: 32, lambda _: 0)
    assert (size, result.percent) == (64, 100.0)
    assert optimal_group_size(arch("9.0"), lambda _: 32, lambda _: 0, inc_warp(arch("9.0")))[0] == 1024
    with pytest.raises(ValueError, match="no work-group sizes"):
        optimal_group_size(arch("9.0"), lambda _: 32, lambda _: 0, [])


def test_best_sizes() -> None:
    assert best_group_sizes(arch("8.6"), lambda size: Need(size, 40)) == (
        100.0,
        (96, 128, 192, 256, 384, 512, 768),
    )
    percent, sizes = best_group_sizes(arch("9.0"), lambda size: Need(size, 40, 200_000))
    assert (percent, sizes) == (50.0, (1024,))


def test_resident_on_a_device() -> None:
    h100 = Device("h100", "H100 SXM", "nvidia", arch("9.0"), 132, verified="", arch_verified="")
    assert max_resident_groups(h100, Need(256, 40)) == 132 * 6
    assert (
        max_resident_groups(
            Device("sm_90", "sm_90", "nvidia", arch("9.0"), None, verified="", arch_verified=""), Need(256)
        )
        is None
    )


def test_group_sizes() -> None:
    assert group_sizes(arch("9.0"), 1, 100) == (32, 64, 96, 100)
    assert group_sizes(arch("9.0"), 100, 100) == (100,)
    assert group_sizes(arch("9.0"), 2000, 3000) == (2000,)
    assert group_sizes(arch("9.0"), 992, 3000) == (992, 1024)
