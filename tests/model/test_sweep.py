from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.sweep import best_group_sizes, inc_pow2, inc_warp, over_local, over_registers, resized

from .strategies import architectures
from .support import arch


def test_candidates() -> None:
    assert inc_pow2(arch("9.0")) == [32, 64, 128, 256, 512, 1024]
    assert inc_pow2(arch("1.0")) == [32, 64, 128, 256, 512]
    assert inc_warp(arch("9.0"))[:3] == [32, 64, 96]
    assert inc_warp(arch("9.0"), 16)[:3] == [16, 32, 48]


@given(architectures, st.integers(1, 200), st.integers(-60, 60), st.integers(0, 9000), st.integers(0, 64))
def test_the_best_sizes_are_all_that_no_other_beats(
    arch: Architecture, registers: int, slope: int, local: int, per_thread: int
) -> None:
    """Registers and local memory may follow the size."""

    def need_of(size: int) -> Need:
        return resized(Need(1, max(1, registers + slope * size // 1024), 0, local), size, per_thread)

    percent, sizes = best_group_sizes(arch, need_of)
    fills = {size: arch.occupancy(need_of(size)).percent for size in inc_warp(arch)}
    assert max(fills.values()) == percent
    assert sizes == tuple(size for size, fill in fills.items() if fill == percent)
    assert need_of(64).dynamic_local == local + 63 * per_thread


def test_best_sizes() -> None:
    assert best_group_sizes(arch("8.6"), lambda size: Need(size, 40)) == (
        100.0,
        (96, 128, 192, 256, 384, 512, 768),
    )
    percent, sizes = best_group_sizes(arch("9.0"), lambda size: Need(size, 40, 200_000))
    assert (percent, sizes) == (50.0, (1024,))


@settings(max_examples=10, deadline=None)
@given(architectures, st.integers(1, 1024))
def test_a_sweep_has_each_amount_from_the_first_to_the_last(arch: Architecture, size: int) -> None:
    need = Need(min(size, arch.max_group_size), 40, 0, opt_in=False)
    assert [count for count, _ in over_registers(arch, need)] == list(range(1, arch.max_registers + 1))
    amounts = [bytes_ for bytes_, _ in over_local(arch, need)]
    assert amounts[0] == 0 and arch.local_per_group - arch.local_unit < amounts[-1] <= arch.local_per_group
