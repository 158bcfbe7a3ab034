"""The occupancy module of the Haskell `cuda` package, its arithmetic written out again as the oracle.

The document models the devices of its time: block and warp allocation on cc 1.x and 2.x, without what came later
(sub-partitions, reserved shared memory, opt-in). There it and our model agree on every size; where it differs, NVIDIA's
own code says what we say (docs/validation.md).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.sweep import best_group_sizes, inc_pow2, inc_warp
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from tests.cli.support import occupancy as command
from tests.presets import CATALOGUE


def arch(name: str) -> NvidiaArch:
    found = CATALOGUE.architecture(name)
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
    if registers:
        limit_registers *= device.registers_per_unit // device.registers_per_group
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
    ours = device.occupancy(Need(threads, registers or None, shared))
    assert (ours.groups, ours.percent) == documented(device, threads, registers, shared)


def all_needs(device: NvidiaArch) -> list[Need]:
    """Whole warps, every count of registers, three amounts of shared memory."""
    sizes = range(32, device.max_group_size + 1, 32)
    counts = range(1, device.max_registers + 1)
    return [Need(size, count, shared) for size in sizes for count in counts for shared in (0, 1024, 12345)]


def rounded_up_on_fermi(device: NvidiaArch, need: Need) -> bool:
    return need.registers in _ROUNDED_UP


def halves_of_the_file(device: NvidiaArch, need: Need) -> bool:
    """Divided in halves, the last warp of each is lost; the hardware divides it in its four sub-partitions."""
    per_warp = up((need.registers or 0) * 32, device.register_unit)
    half, quarter = device.registers_per_group // per_warp // 4 * 4, device.registers_per_unit // 4 // per_warp * 4
    return 2 * half != quarter or half % (need.group_size // 32) != 0


def refused_at_launch(device: NvidiaArch, need: Need) -> bool:
    """GP100 refuses what does not fit four sub-partitions, and has two."""
    return up(need.group_size // 32, 4) * up((need.registers or 0) * 32, device.register_unit) > 65536


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("sm_13", None),
        ("sm_20", rounded_up_on_fermi),
        ("sm_30", None),
        ("sm_35", None),
        ("sm_37", halves_of_the_file),
        ("sm_52", None),
        ("sm_60", refused_at_launch),
        ("sm_61", None),
        ("sm_62", halves_of_the_file),
    ],
)
def test_where_it_differs_and_why(name: str, why: Callable[[NvidiaArch, Need], bool] | None) -> None:
    """The rows of docs/validation.md. NVIDIA's own code and spreadsheet decide (tests/model/test_truth.py)."""
    device, needs = arch(name), all_needs(arch(name))
    differing = [
        need
        for need in needs
        if device.occupancy(need).groups
        != documented(device, need.group_size, need.registers or 0, need.static_local)[0]
    ]
    assert all(why is not None and why(device, need) for need in differing)
    validation = Path(__file__).parents[2] / "docs" / "validation.md"
    assert f"| {name} | {len(needs):,} | {len(differing):,} |" in validation.read_text(encoding="utf-8")


def test_the_candidate_generators() -> None:
    """incPow2 and incWarp; decPow2 and decWarp are the same from the other end."""
    device = arch("sm_13")
    assert inc_pow2(device) == [32, 64, 128, 256, 512]
    assert inc_warp(device)[:3] == [32, 64, 96] and inc_warp(device)[-1] == 512


@pytest.mark.parametrize("name", ["sm_13", "sm_20", "sm_35", "sm_90"])
def test_the_optimal_size_is_the_smallest_that_does_best(name: str) -> None:
    """optimalBlockSize: registers and shared memory as functions of the block size; of equals, the last of decWarp."""
    device = arch(name)

    def need_of(threads: int) -> Need:
        return Need(threads, 20 + threads // 64, 16 * threads)

    percent, sizes = best_group_sizes(device, need_of)
    tried = {threads: device.occupancy(need_of(threads)).percent for threads in reversed(inc_warp(device))}
    assert percent == max(tried.values())
    assert sizes[0] == [threads for threads, found in tried.items() if found == percent][-1]


def test_calc_says_the_optimal_sizes() -> None:
    """With 16 bytes a thread; the last line is CUDA's own choice, the largest."""
    done = command("calc", "--best", "--device", "h100", "--regs", 40, "--dynamic-per-thread", 16)
    assert done.out == (
        "H100 SXM5: 75% occupancy at best, with 64, 96, 128, 192, 256, 384, 512, 768 threads per block.\n"
        "cudaOccupancyMaxPotentialBlockSize: 768 threads, and a grid of 264.\n"
    )


def test_active_threads_and_resident_blocks_without_a_grid() -> None:
    """activeThreads and maxResidentBlocks."""
    done = command("calc", "--device", "p100", "--block", 256, "--regs", 32)
    assert "2048 threads at once per SM\nTesla P100 holds 448 blocks at once (56 SMs × 8)" in done.out
    bare = command("calc", "--device", "sm_60", "--block", 256, "--regs", 37)
    assert bare.out.endswith("1536 threads at once per SM\n")


def test_a_text_cubin_is_read(tmp_path: Path) -> None:
    """The document takes `reg = N`, `smem = N` from a cubin of those years, beside the source here."""
    (tmp_path / "k.cu").write_text(
        "__global__ void k(float* p) { p[threadIdx.x] = 1; }\nvoid h(float* p) { k<<<64, 256>>>(p); }\n"
    )
    (tmp_path / "k.cubin").write_text(
        "architecture {sm_13}\nabiversion {1}\n"
        "code {\n\tname = _Z1kPf\n\tlmem = 0\n\tsmem = 32\n\treg = 20\n\tbar = 0\n}\n"
    )
    done = command("check", tmp_path, "--device", "sm_13", "--hints")
    assert "75% · 3 blk/SM · regs" in done.out
