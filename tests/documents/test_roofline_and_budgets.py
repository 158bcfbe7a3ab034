"""The GPU optimization guide: its formulas, its numbers, and its architecture table with what is wrong in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from occupancy_lsp.devices.catalogue import DEFAULT_DEVICES
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.full import Budget, budget, register_budget, work_items_to_fill
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.roofline import intensity, rooflines
from tests.cli.support import occupancy as command
from tests.presets import CATALOGUE


def arch_of(name: str):  # type: ignore[no-untyped-def]
    return CATALOGUE.find(name).arch


@pytest.mark.parametrize(("arch", "registers"), [("sm_80", 32), ("sm_75", 64), ("sm_70", 32)])
def test_r_max_is_the_documents(arch: str, registers: int) -> None:
    """(registers per CU) / (active sub-groups * sub-group size): 65536 / (64 * 32) = 32 on GA100."""
    assert register_budget(arch_of(arch)) == registers


def test_r_max_is_rounded_as_the_hardware_allocates() -> None:
    """65536 / (48 * 32) is 42.67, but registers come in 8 per thread: 40."""
    assert register_budget(arch_of("sm_86")) == 40


def budget_of(work_group: int) -> Budget:
    found = budget(arch_of("sm_80"), Need(work_group))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("work_group", "wg_max", "share"),
    [(64, 32, 1536), (128, 16, 3072), (256, 8, 6144), (512, 4, 12288), (1024, 2, 24576)],
)
def test_wg_max_and_the_documents_share_of_48_kb(work_group: int, wg_max: int, share: int) -> None:
    """Within the document's share all of them fit, and there is room to spare."""
    found = budget_of(work_group)
    assert (found.groups, found.percent, found.registers) == (wg_max, 100, 32)
    assert 48 * 1024 // wg_max == share < found.local


def test_wg_max_is_whole_and_no_more_than_the_unit_allows() -> None:
    """The formula gives 64 work-groups of 32 threads and 10.67 of 192."""
    assert budget_of(32).groups == 32
    assert budget_of(192).groups == 10


def test_the_local_memory_of_a_real_ga100_is_more() -> None:
    """48 KB is what one block may have by default; an SM has 164 KB, of which each block also costs 1 KB."""
    found = budget_of(128)
    assert (found.groups, found.local) == (16, 164 * 1024 // 16 - 1024)
    assert arch_of("sm_80").occupancy(Need(128, 32, found.local)).percent == 100
    assert arch_of("sm_80").occupancy(Need(128, 32, found.local + 1)).percent < 100


def test_calc_says_the_budget() -> None:
    """For as many as there can be, and for as many as are wanted."""
    most = command("calc", "--device", "a100", "--block", 128).out
    assert (
        "at most 16 blocks fit (100%), with up to 32 registers per thread and 9.25 KiB of shared memory per block"
        in most
    )
    four = command("calc", "--device", "a100", "--block", 128, "--fit", 4).out
    assert "4 blocks fit (25%), with up to 128 registers per thread and 40 KiB of shared memory per block" in four
    assert "never 17 blocks: at most 16 fit" in command("calc", "--device", "a100", "--block", 128, "--fit", 17).out


def test_wi_min_is_that_of_the_full_die() -> None:
    """262144 = 64 * 32 * 128 SMs: nobody can buy them all. The A100 has 108."""
    a100 = CATALOGUE.find("a100")
    assert work_items_to_fill(replace(a100, compute_units=128)) == 262144
    assert work_items_to_fill(a100) == 221184
    assert work_items_to_fill(CATALOGUE.find("v100")) == 163840
    assert work_items_to_fill(CATALOGUE.find("sm_80")) is None


@pytest.mark.parametrize(
    ("arch", "sub_groups", "work_items", "groups"),
    [("sm_70", 64, 2048, 32), ("sm_75", 32, 1024, 16), ("sm_80", 64, 2048, 32)],
)
def test_the_table_of_nvidia_architectures(arch: str, sub_groups: int, work_items: int, groups: int) -> None:
    found = arch_of(arch)
    assert (found.max_sub_groups, found.max_sub_groups * found.sub_group_size) == (sub_groups, work_items)
    assert (found.max_groups, found.registers_per_unit) == (groups, 65536)


def test_the_tables_local_memory_is_too_small_on_two_of_them() -> None:
    """It says 65536 bytes of all three."""
    assert arch_of("sm_75").local_per_unit == 65536
    assert (arch_of("sm_70").local_per_unit, arch_of("sm_80").local_per_unit) == (96 * 1024, 164 * 1024)


def test_the_tables_row_of_gfx9_is_no_compute_units() -> None:
    """It says 1024 work-items (a work-group's) and "29184 (?)" registers. 40 waves of 64 are 2560."""
    found = arch_of("gfx900")
    assert (found.max_sub_groups, found.max_sub_groups * found.sub_group_size) == (40, 2560)
    assert found.registers_per_simd * found.sub_group_size * found.simds_per_cu == 65536
    assert (found.max_group_size, found.local_per_unit) == (1024, 65536)


@pytest.mark.parametrize(
    ("device", "ridges"),
    [
        ("v100", {"fp32": 17.47, "fp64": 8.73, "fp16_matrix": 139.7}),
        ("t4", {"fp32": 25.44, "fp64": 0.794, "fp16_matrix": 203.4}),
        ("a100", {"fp32": 12.54, "fp64": 6.24, "fp16_matrix": 200.6}),
        ("mi250", {"fp32": 14.16, "fp64": 14.16, "fp64_matrix": 28.28, "fp16_matrix": 113.2}),
        ("data-center-gpu-max-1550", {"fp32": 15.99}),
        ("h100", {"fp32": 20, "fp64": 10.15, "fp16_matrix": 295.3}),
        ("mi300x", {"fp32": 30.69, "fp64": 15.34, "fp16_matrix": 245.5}),
        ("arc-b580", {"fp32": 29.98}),
        ("a100-80gb", {"fp32": 9.564}),
        ("v100-pcie", {"fp32": 15.75}),
    ],
)
def test_ridge_points(device: str, ridges: dict[str, float]) -> None:
    found = {roof.precision: roof.ridge for roof in rooflines(CATALOGUE.find(device))}
    assert {precision: found[precision] for precision in ridges} == pytest.approx(ridges, rel=1e-3)
    for precision, ridge in ridges.items():
        assert f"ridge point, {precision}" in CATALOGUE.describe(device) and ridge


# Operations in fp32 of a compute unit in a clock: two for each lane, four where it issues two instructions at once.
PER_CLOCK = {"sm_70": 128, "sm_75": 128, "sm_80": 128, "gfx908": 128, "gfx90a": 128}


@pytest.mark.parametrize("device", [it for it in CATALOGUE.all() if it.peaks], ids=lambda device: device.id)
def test_a_peak_is_what_the_compute_units_do_at_a_clock_that_there_is(device: Device) -> None:
    assert device.bandwidth and device.roofline_source and device.compute_units
    clock = dict(device.peaks)["fp32"] / device.compute_units / PER_CLOCK.get(device.arch.id, 256)
    assert 1.25e9 < clock < 2.7e9


def test_every_default_device_has_a_roofline() -> None:
    assert all(rooflines(CATALOGUE.find(name)) for name in DEFAULT_DEVICES)


def test_a_kernel_left_of_the_ridge_is_memory_bound() -> None:
    fp32 = rooflines(CATALOGUE.find("a100"))[0]
    assert intensity(1e9, 4e9) == 0.25
    assert fp32.memory_bound(0.25) and fp32.attainable(0.25) == 0.25 * 1555e9
    assert not fp32.memory_bound(100) and fp32.attainable(100) == 19.5e12
    assert not fp32.memory_bound(fp32.ridge)


def test_an_unknown_bandwidth_gives_no_roofline() -> None:
    device = CATALOGUE.find("gtx-1080")
    assert isinstance(device, Device) and rooflines(device) == ()


def test_calc_and_devices_say_the_least_work_items() -> None:
    assert "threads that fill all SMs" in command("devices", "a100").out
    assert "221184" in command("devices", "a100").out


@pytest.mark.parametrize(
    ("priority", "heading"),
    [
        ("Non coalescence", "## Coalescing"),
        ("Bank conflicts", "## Bank conflicts"),
        ("Divergent execution", "## Divergence"),
        ("splitting a code across multiple kernels", "## Splitting a kernel"),
        ("instruction level parallelism", "## Instruction-level parallelism"),
        ("roofline", "## When the roofline says stop"),
    ],
)
def test_the_priorities_have_a_place_on_the_page_of_advice(priority: str, heading: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules" / "advice.md").read_text(encoding="utf-8")
    assert f"\n{heading}\n" in page
