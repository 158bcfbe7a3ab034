"""Every name that a person, a driver or a tool gives finds its device, or asks which: never another's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.devices.catalogue import SeveralDevices, UnknownDevice
from occupancy_lsp.devices.names import Known, Maker, Names, words
from occupancy_lsp.devices.presets import builtin_folder
from occupancy_lsp.model.device import Device
from tests.presets import CATALOGUE

DATA = Path(__file__).parents[1] / "data"
_SAME_CHIP = {  # as the preset of another name
    "NVIDIA GeForce GTX 1650 Ti with Max-Q Design",
    "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition",
}
DEVICES = CATALOGUE.all()


def test_a_device_is_found_by_its_id_and_by_its_name() -> None:
    for device in DEVICES:
        assert CATALOGUE.find(device.id) == CATALOGUE.find(device.name) == device


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("rtx4090", "rtx-4090"),
        ("4090", "rtx-4090"),
        ("NVIDIA GeForce RTX 4090", "rtx-4090"),
        ("NVIDIA_GeForce-rtx__4090 ", "rtx-4090"),
        ("7900xtx", "rx-7900-xtx"),
        ("AMD Radeon(TM) RX 7900 XTX", "rx-7900-xtx"),
        ("radeon 580", "rx-580"),
        ("b580", "arc-b580"),
        ("Intel(R) Arc™ A770 Graphics", "arc-a770"),
        ("Intel(R) Data Center GPU Flex Series 140", "data-center-gpu-flex-140"),
        ("m3max", "m3-max"),
        ("DGX Spark", "gb10"),
        ("g78", "mali-g78"),
        ("8.9", "sm_89"),
        ("hopper", "sm_90"),
        ("h100-80gb", "h100"),
        ("RTX 4090 Laptop", "rtx-4090-laptop"),
        ("4090 mobile", "rtx-4090-laptop"),
        ("RTX 3080 12GB", "rtx-3080-12gb"),
        ("4070tisuper", "rtx-4070-ti-super"),
        ("compute capability 12.0", "sm_120"),
        ("gfx942:sramecc+:xnack-", "gfx942"),
        ("GPU 0: NVIDIA GeForce RTX 4090 (UUID: GPU-a7b9ac1b-ea60-7e0c-5a3f-2a3f4c5d6e7f)", "rtx-4090"),
        ("  Marketing Name:          AMD Instinct MI250X", "mi250x"),
        ("      Name:                    amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", "gfx90a"),
        ("  Device Name                                     NVIDIA GeForce RTX 2080 Ti", "rtx-2080-ti"),
        ("  Device Board Name (AMD)                         AMD Radeon RX 6800 XT", "rx-6800-xt"),
        ("Ryzen AI MAX+ 395", "radeon-8060s"),
        ("AMD RYZEN AI MAX+ 395 w/ Radeon 8060S", "radeon-8060s"),
        ("  Marketing Name:          AMD Ryzen 7 7840HS w/ Radeon 780M Graphics", "radeon-780m"),
        ("Tesla C1060", "c1060"),
        ("AMD Instinct MI450", "mi450"),
        ("Mali-G610 r0p0", "mali-g610"),
        ("Intel(R) Graphics [0x56a0]", "arc-a770"),
        ("Intel(R) UHD Graphics [0x9bc5]", "uhd-630"),
        ("Intel(R) Graphics [0x46a6]", "xe_lp"),  # with 80 or 96 EUs
        ("[0xE20B]", "arc-b580"),
        ("Mesa Intel(R) Arc(tm) A770 Graphics (DG2)", "arc-a770"),
        ("GRID T4-16Q", "t4"),
        ("NVIDIA L40S-12Q", "l40s"),
        ("NVIDIA A10-24C", "a10"),
        ("NVIDIA H100-80C", "h100-pcie"),
        ("NVIDIA H100XM-80C", "h100"),
        ("GRID V100DX-32Q", "v100"),
    ],
)
def test_a_name_as_it_is_typed_or_printed(name: str, id: str) -> None:
    assert CATALOGUE.find(name).id == id


@pytest.mark.parametrize(
    ("name", "some"),
    [
        ("jetson orin", {"jetson-agx-orin", "jetson-orin-nx", "jetson-orin-nano"}),
        ("lunar lake", {"arc-130v", "arc-140v"}),
        ("580", {"gtx-580", "rx-580"}),
        ("NVIDIA TITAN X", {"gtx-titan-x", "titan-x-pascal"}),
        ("titan", {"gtx-titan-x", "titan-rtx", "titan-v"}),
        ("a750", {"arc-a750", "adreno-750"}),
        ("rtx 3050", {"rtx-3050-8gb", "rtx-3050-6gb", "rtx-3050-laptop"}),
        ("ampere", {"sm_80", "sm_86"}),
        ("rdna3", {"gfx1100", "gfx1103"}),
        ("gfx11-generic", {"gfx1100", "gfx1150"}),
        ("Orin (nvgpu)", {"jetson-agx-orin", "jetson-orin-nx", "jetson-orin-nano"}),
        ("Intel(R) Graphics [0x4688]", {"xe_lp", "xe_lp_12"}),
    ],
)
def test_a_name_of_several_asks_which(name: str, some: set[str]) -> None:
    with pytest.raises(SeveralDevices, match=r"may be any of .*: name one of them") as caught:
        CATALOGUE.find(name)
    assert some <= set(caught.value.nearest)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("m5", ()),  # not mi50
        ("max 1460", ()),  # not gtx-1660
        ("mali g720", ()),  # not mali-g72
        ("RTX 4090 Ti", ()),
        ("radeon 4090", ()),
        ("nvidia", ()),
        ("gtx 4090", ("rtx-4090",)),
        ("Quadro 6000", ("quadro-rtx-6000",)),  # of Fermi
        ("h10", ("h100",)),
        ("h1000", ("h100",)),
        ("rtx4091", ("rtx-4090",)),
        ("rtx 4900", ("rtx-4090",)),
        ("mi3000x", ("mi300x",)),
        ("sm_91", ("sm_90",)),
        ("sm_900", ("sm_90",)),
        ("h1000 MIG 1g.10gb", ("h100",)),
        ("Intel(R) Graphics [0xffff]", ()),
        ("Intel(R) Graphics [0x5a60]", ()),  # not 0x56a0
        ("GRID X9-8Q", ()),
    ],
)
def test_what_is_suggested_may_be_what_was_meant(name: str, near: tuple[str, ...]) -> None:
    with pytest.raises(UnknownDevice) as caught:
        CATALOGUE.find(name)
    assert caught.value.nearest[:1] == near


@pytest.mark.parametrize(
    ("name", "id", "units"),
    [
        ("NVIDIA H100 80GB HBM3 MIG 1g.10gb", "h100-mig-1g.10gb", 16),
        ("H100 80GB HBM3 MIG 3g.40gb", "h100-mig-3g.40gb", 60),
        ("H100 80GB HBM3 MIG 1g.10gb+me", "h100-mig-1g.10gb", 16),
        ("NVIDIA A100-SXM4-40GB MIG 2g.10gb", "a100-mig-2g.10gb", 28),
        ("NVIDIA A100-SXM4-80GB MIG 1g.20gb", "a100-80gb-mig-1g.20gb", 14),
        ("NVIDIA A30 MIG 2g.12gb", "a30-mig-2g.12gb", 28),
        ("h100-mig-1g.10gb", "h100-mig-1g.10gb", 16),
        ("NVIDIA H200 MIG 1g.18gb", "h200-mig-1g.18gb", None),  # not known
        ("H100 80GB HBM3 MIG 1c.2g.20gb", "h100-mig-1c.2g.20gb", None),
        ("GRID A100X-1-5CME", "a100-mig-1g.5gb", 14),
    ],
)
def test_a_part_of_a_gpu_has_its_limits_and_fewer_units(name: str, id: str, units: int | None) -> None:
    part, whole = CATALOGUE.find(name), CATALOGUE.find(id.partition("-mig-")[0])
    assert (part.id, part.compute_units, part.arch) == (id, units, whole.arch)
    assert CATALOGUE.find(part.name) == CATALOGUE.find(part.id) == part
    assert whole.compute_units is not None and part.bandwidth is None and not part.peaks
    assert "compute" in CATALOGUE.describe(name).lower()


def test_devices_that_intels_drivers_name_by_number_alone() -> None:
    """Numbers stand in one preset, or in architectures that may both have them."""
    numbers: dict[str, set[str]] = {}
    for path in builtin_folder().glob("*/*.yaml"):
        for number in re.findall(r"\b0x[0-9a-f]{4}\b", path.read_text("utf-8")):
            numbers.setdefault(number, set()).add(path.stem)
    assert len(numbers) == 304
    for number, ids in numbers.items():
        try:
            assert {CATALOGUE.find(f"Intel(R) Graphics [{number}]").id} == ids
        except SeveralDevices as several:
            assert {*several.nearest} == ids and len(ids) == 2


def _lines(path: str) -> list[str]:
    return (DATA / path).read_text().splitlines()


def test_the_names_of_nvidias_driver_find_the_chips_that_are_known() -> None:
    """All of the list of 595.45.04 with a preset's chip; a laptop's is never taken for a desktop's."""
    found: dict[str, Device] = {}
    asked, refused = set(), set()
    for name in _lines("nvidia/driver-names.txt"):
        try:
            found[name] = CATALOGUE.find(name)
        except SeveralDevices:
            asked.add(name)
        except UnknownDevice:
            refused.add(name)
    assert asked == {"NVIDIA GeForce RTX 3050"}  # with 18 and with 20 SMs
    assert refused == set(_lines("nvidia/driver-names-without-preset.txt"))
    assert len(found) == 197
    for name, device in found.items():
        for word in {"laptop", "max", "embedded", "ti", "super", "ada", "quadro", "sff"}:
            assert (word in words(name)) == (word in words(device.name)) or name in _SAME_CHIP, name


def test_a_chip_of_ada_under_a_name_of_ampere() -> None:
    """As it reports itself: compute capability 8.9, 14 SMs."""
    device = CATALOGUE.find("NVIDIA GeForce RTX 3050 A Laptop GPU")
    assert (device.arch.id, device.compute_units) == ("sm_89", 14)


def test_every_name_of_ocloc_finds_its_architecture_or_asks() -> None:
    for name in _lines("intel/ocloc-names.txt"):
        try:
            assert CATALOGUE.find(name).vendor == "intel", name
        except SeveralDevices as several:
            assert all(CATALOGUE.find(id).vendor == "intel" for id in several.nearest), name


MAKER = Maker(frozenset({"maker"}), frozenset({"line"}))
NAMES = Names(
    [
        Known("line-40", ("Maker Line 40",), MAKER),
        Known("line-40-laptop", ("Line 40 Laptop GPU", "line-40-max-q"), MAKER),
        Known("line-40-16gb", ("Line 40 16 GB",), MAKER),
    ]
)


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("40", ("line-40",)),
        ("line40", ("line-40",)),
        ("40 mobile", ("line-40-laptop",)),
        ("Maker Line 40 with Max-Q Design", ("line-40-laptop",)),
        ("40-16g", ("line-40-16gb",)),
        ("Line 40 16GiB", ("line-40-16gb",)),
        ("line 40 8gb", ()),
        ("line 40 ti", ()),
        ("other line 40", ()),
        ("line", ()),
        ("", ()),
    ],
)
def test_words_that_tell_apart_count_and_no_others(name: str, ids: tuple[str, ...]) -> None:
    assert NAMES.meant(name) == ids


@given(st.text(max_size=60))
def test_any_text_has_an_answer(name: str) -> None:
    try:
        assert CATALOGUE.find(name)
    except UnknownDevice as unknown:
        assert str(unknown).startswith(("unknown device", "'"))


@given(st.sampled_from(DEVICES), st.sampled_from(" -_"), st.booleans())
def test_spaces_dashes_and_case_tell_nothing_apart(device: Device, between: str, upper: bool) -> None:
    name = device.id.replace("-", between).replace("_", between)
    assert CATALOGUE.find(name.upper() if upper else name) == device
