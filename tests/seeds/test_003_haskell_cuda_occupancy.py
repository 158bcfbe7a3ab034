"""Seed 003: the occupancy module of the Haskell `cuda` package, its arithmetic written out again as the oracle.

The document models the devices of its time: block and warp allocation on cc 1.x and 2.x, without what came later
(sub-partitions, reserved shared memory, opt-in). There it and our model agree on every size; where it differs on newer
devices its own sources were corrected since (docs/validation.md).
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.model.device import NvidiaArch
from occupancy_lsp.model.dispatch import occupancy
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.sweep import dec_pow2, dec_warp, inc_pow2, inc_warp, max_resident_groups, optimal_group_size
from occupancy_lsp.presets import Catalogue

_CATALOGUE = Catalogue()


def arch(name: str) -> NvidiaArch:
    found = _CATALOGUE.architecture(name)
    assert isinstance(found, NvidiaArch)
    return found


def up(number: int, unit: int) -> int:
    return -(-number // unit) * unit


def documented(device: NvidiaArch, threads: int, registers: int, shared: int) -> tuple[int, float]:
    """`occupancy` of the document: active blocks and percent."""
    warps = -(-threads // 32)
    if device.register_allocation == "block":
        block = up(up(warps, device.sub_partitions) * registers * 32, device.register_unit)
        limit_registers = device.registers_per_unit // block if registers else device.max_groups
    else:
        unit = device.sub_partitions
        fit = device.registers_per_group // up(registers * 32, device.register_unit) if registers else 0
        limit_registers = fit // unit * unit // warps if registers else device.max_groups
    if registers > device.max_registers:
        limit_registers = 0
    limit_shared = device.max_groups
    if shared:
        limit_shared = 0 if shared > device.local_per_group else device.local_per_unit // up(shared, device.local_unit)
    groups = min(device.max_groups, device.max_sub_groups // warps, limit_registers, limit_shared)
    return groups, 100 * groups * warps / device.max_sub_groups


# Registers whose allocation on cc 2.x the document's table does not round as the hardware does.
_ROUNDED_UP = {21, 22, 29, 30, 37, 38, 45, 46}


@pytest.mark.parametrize("name", ["sm_10", "sm_11", "sm_12", "sm_13", "sm_20", "sm_21"])
@given(st.integers(1, 1024), st.integers(0, 63), st.integers(0, 49152))
@settings(max_examples=150, deadline=None)
def test_occupancy(name: str, threads: int, registers: int, shared: int) -> None:
    device = arch(name)
    if threads > device.max_group_size or (name.startswith("sm_2") and registers in _ROUNDED_UP):
        return
    ours = occupancy(device, Need(threads, registers or None, shared))
    assert (ours.groups, ours.percent) == documented(device, threads, registers, shared)


def test_the_four_candidate_generators() -> None:
    device = arch("sm_13")
    assert inc_pow2(device) == [32, 64, 128, 256, 512]
    assert dec_pow2(device) == [512, 256, 128, 64, 32]
    assert inc_warp(device)[:3] == [32, 64, 96] and inc_warp(device)[-1] == 512
    assert dec_warp(device) == inc_warp(device)[::-1]


@pytest.mark.parametrize("name", ["sm_13", "sm_20", "sm_35", "sm_90"])
def test_the_optimal_size_is_the_smallest_that_does_best(name: str) -> None:
    """Registers and shared memory as functions of the block size; of equals, the last of the candidates."""
    device = arch(name)

    def percent(threads: int) -> float:
        return occupancy(device, Need(threads, 20 + threads // 64, 16 * threads)).percent

    size, best = optimal_group_size(device, lambda threads: 20 + threads // 64, lambda threads: 16 * threads)
    assert best.percent == max(map(percent, dec_warp(device)))
    assert size == min(threads for threads in dec_warp(device) if percent(threads) == best.percent)


def test_resident_blocks_of_the_whole_device() -> None:
    device = _CATALOGUE.find("p100")
    assert max_resident_groups(device, Need(256, 32)) == 56 * 8
