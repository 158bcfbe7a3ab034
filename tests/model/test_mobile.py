"""Mali, Apple and Imagination: what is published of them, and what holds for every need."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.apple.arch import AppleArch, register_threads
from occupancy_lsp.vendors.arm.arch import MaliArch
from tests.presets import CATALOGUE

DEVICES = [
    it
    for it in CATALOGUE.all()
    if it.vendor in ("arm", "qualcomm", "apple", "imagination", "generic") and it.id != it.arch.id
]


@pytest.mark.parametrize(
    ("device", "registers", "percent"),
    [
        # Arm's offline compiler, as recorded by Flutter: registers, thread occupancy
        ("mali-g78", 64, 50),
        ("mali-g78", 32, 100),
        ("mali-g78", 19, 100),
        ("mali-g78", 8, 100),
        ("mali-t880", 8, 50),
        ("mali-t880", 6, 50),
        ("mali-t880", 2, 100),
        # Mesa: the first Bifrost generation has one class
        ("mali-g71", 64, 100),
    ],
)
def test_mali_thread_occupancy_is_maliocs(device: str, registers: int, percent: int) -> None:
    assert CATALOGUE.find(device).arch.occupancy(Need(64, registers)).percent == percent


@pytest.mark.parametrize(
    ("device", "threads"),
    [
        *(("t720", 256), ("t880", 256), ("g71", 384), ("g72", 384), ("g31", 512), ("g51", 768), ("g52", 768)),
        *(("g76", 768), ("g52-2ee", 512), ("g57", 1024), ("g77", 1024), ("g68", 1024), ("g78", 1024)),
    ],
)
def test_mali_threads_per_core_are_the_datasheets(device: str, threads: int) -> None:
    arch = CATALOGUE.find(f"mali-{device}").arch
    assert isinstance(arch, MaliArch) and arch.max_threads == threads == arch.max_sub_groups * arch.sub_group_size


def test_mali_local_memory_limits_only_the_work_group() -> None:
    arch = CATALOGUE.find("mali-g78").arch
    full = arch.occupancy(Need(64, 8, 32768))
    assert full.percent == 100 and full.limits.local_memory is None
    over = arch.occupancy(Need(64, 8, 32769))
    assert over.fault and (over.fault.resource, over.fault.allows) == ("local_memory", 32768)


@pytest.mark.parametrize("device", ["m1", "m2"])
def test_apple_threads_by_registers_are_asahis_table(device: str) -> None:
    """Mesa's agx_occupancy_for_register_count, the threads of one threadgroup."""
    arch = CATALOGUE.find(device).arch
    assert isinstance(arch, AppleArch)
    table = {104: 1024, 112: 896, 128: 832, 136: 768, 144: 704, 160: 640, 184: 576, 208: 512, 232: 448, 256: 384}
    for registers in range(1, 257):
        expected = next(threads for most, threads in table.items() if registers <= most)
        assert min(register_threads(arch, registers) or 0, arch.max_group_size) == expected, registers


def test_apple_cores_hold_384_to_3072_threads() -> None:
    arch = CATALOGUE.find("m1").arch
    assert isinstance(arch, AppleArch)
    assert (register_threads(arch, 256), register_threads(arch, 1)) == (384, 3072)
    too_many = arch.occupancy(Need(512, 256))
    assert too_many.fault and too_many.fault.resource == "registers"


@pytest.mark.parametrize("device", ["m3", "m4"])
def test_of_later_apple_families_only_the_limits_are_known(device: str) -> None:
    found = CATALOGUE.find(device)
    assert found.arch_verified == "estimate" and found.note and "upper bound" in found.note
    assert found.arch.occupancy(Need(256, 256)).limits.registers is None
    assert found.arch.occupancy(Need(1025)).fault
    assert found.arch.occupancy(Need(256, static_local=32769)).fault


@pytest.mark.parametrize(
    ("device", "instances", "most"),
    [("powervr-axe-1-16m", 448, 384), ("powervr-gx6250", 1024, 512), ("powervr-bxs-4-64", 2048, 512)],
)
def test_imagination_slots(device: str, instances: int, most: int) -> None:
    arch = CATALOGUE.find(device).arch
    assert (arch.max_sub_groups * arch.sub_group_size, arch.max_group_size) == (instances, most)
    assert arch.occupancy(Need(32, 24)).percent == 100
    assert arch.occupancy(Need(32, 25)).percent < 100
    assert arch.occupancy(Need(32, 249)).fault


def test_what_is_reverse_engineered_says_so() -> None:
    verified = {it.id: it.arch_verified for it in DEVICES}
    assert verified["adreno-730"] == "compiler" and verified["mali-g52"] == "document"
    assert {it.arch_verified for it in DEVICES if it.vendor in ("apple", "imagination")} == {"estimate"}


def test_other_sub_groups_than_there_are_are_refused() -> None:
    for name in ("mali-g78", "m1", "powervr-gx6250", "adreno-730"):
        with pytest.raises(ValueError, match="not 48"):
            CATALOGUE.find(name).arch.occupancy(Need(64, sub_group=48))
        with pytest.raises(ValueError):
            CATALOGUE.find(name).arch.occupancy(Need(0))


@given(
    st.sampled_from(DEVICES),
    st.builds(
        Need,
        st.integers(1, 3000),
        st.none() | st.integers(1, 300),
        st.integers(0, 100_000),
        st.integers(0, 100_000),
        barriers=st.integers(0, 2),
    ),
)
def test_whatever_the_need_the_result_is_consistent(device: Device, need: Need) -> None:
    arch = device.arch
    result = arch.occupancy(need)
    limits = {name: getattr(result.limits, name) for name in result.limits.__slots__}
    known = {name: limit for name, limit in limits.items() if limit is not None}
    assert result.groups == min(known.values())
    assert set(result.limiters) == {name for name, limit in known.items() if limit == result.groups}
    assert 0 <= result.sub_groups <= result.max_sub_groups == arch.max_sub_groups
    assert (result.fault is None) == (result.groups > 0) == (result.sub_groups > 0)
    if result.fault:
        assert result.fault.needs > result.fault.allows, result.fault
    for more in (
        replace(need, registers=(need.registers or 0) + 1),
        replace(need, dynamic_local=need.dynamic_local + 1),
    ):
        assert arch.occupancy(more).groups <= result.groups
