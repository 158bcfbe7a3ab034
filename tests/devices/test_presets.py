"""The built-in presets are complete, sourced and consistent; names are found; the user's presets go first."""

from __future__ import annotations

import dataclasses
import random
import re
import sys
from pathlib import Path

import pytest

from occupancy_lsp.core.naming import canonical
from occupancy_lsp.devices import presets
from occupancy_lsp.devices.catalogue import Catalogue, SeveralDevices, UnknownDevice
from occupancy_lsp.devices.files import DeviceFile, read_preset
from occupancy_lsp.devices.presets import builtin_folder
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from occupancy_lsp.vendors.nvidia.schema import NvidiaFile
from occupancy_lsp.vendors.registry import VENDORS

NVIDIA = sorted((Path(__file__).parents[2] / "presets" / "nvidia").glob("*.yaml"))
MINE = """\
id: my-card
name: My card
arch: sm_90
compute_units: 7
source: counted
verified: document
aliases: [mine]
"""


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue()


@pytest.mark.parametrize("path", NVIDIA, ids=lambda path: path.stem)
def test_a_file_is_clean_named_by_its_id_and_sourced(path: Path) -> None:
    content, problems = read_preset(path.read_bytes(), str(path))
    assert problems == () and content is not None
    assert content.id == path.stem == canonical(content.id)
    assert all(alias == canonical(alias) for alias in content.aliases)  # they are searched for in the text
    if isinstance(content, DeviceFile):
        assert content.source
        assert (content.verified == "estimate") == (re.match("from memory|none", content.source) is not None)
    else:
        fields = dataclasses.fields(NvidiaArch)
        given = {it.name for it in fields if it.default is dataclasses.MISSING or getattr(content, it.name) is not None}
        numbers = given - {"id", "vendor", "compute_capability"}
        assert content.sources.keys() == numbers


@pytest.mark.parametrize("path", [p for p in NVIDIA if p.stem.startswith("sm_")], ids=lambda path: path.stem)
def test_an_architecture_is_consistent(path: Path) -> None:
    content, _ = read_preset(path.read_bytes(), str(path))
    assert isinstance(content, NvidiaFile)
    arch = content.architecture()
    assert arch.id == "sm_" + arch.compute_capability.replace(".", "")
    assert arch.max_group_size <= arch.max_sub_groups * arch.sub_group_size
    assert arch.registers_per_group <= arch.registers_per_unit
    assert arch.local_per_group <= arch.local_per_group_opt_in <= arch.local_per_unit - arch.local_reserved
    assert arch.carveouts == tuple(sorted(arch.carveouts))
    assert arch.carveouts[-1:] in ((), (arch.local_per_unit,))
    assert arch.local_reserved == (1024 if arch.generation >= 8 else 0)
    assert arch.clusters == (arch.generation >= 9) == (arch.barriers_per_unit is not None)


def test_there_are_all_architectures_and_many_devices(catalogue: Catalogue) -> None:
    found = catalogue.all()
    nvidia = [d.id for d in found if d.vendor == "nvidia"]
    bare = [name for name in nvidia if name.startswith("sm_")]
    assert len(bare) == 32 and len(nvidia) - len(bare) >= 45
    assert nvidia == nvidia[: -len(bare)] + bare
    assert len({d.id for d in found}) == len(found) and catalogue.problems == ()


def test_no_two_presets_share_a_name_but_architectures_a_familys() -> None:
    """`ampere` asks which architecture is meant; it is no device's name."""
    names: list[str] = []
    families: set[str] = set()
    for path in NVIDIA:
        content, _ = read_preset(path.read_bytes(), str(path))
        assert content is not None
        names += [content.id, *(content.aliases if isinstance(content, DeviceFile) else ())]
        families |= set() if isinstance(content, DeviceFile) else set(content.aliases)
    assert len(names) == len(set(names)) and not families & set(names)
    assert {"hopper", "ampere", "blackwell"} <= families


@pytest.mark.parametrize(
    ("name", "id", "units", "arch"),
    [
        ("h100", "h100", 132, "sm_90"),
        ("H100-SXM", "h100", 132, "sm_90"),
        ("RTX 4090", "rtx-4090", 128, "sm_89"),
        ("rtx_2080_ti", "rtx-2080-ti", 68, "sm_75"),
        ("A100-80GB", "a100-80gb", 108, "sm_80"),
        ("sm_90", "sm_90", None, "sm_90"),
        ("SM90a", "sm_90", None, "sm_90"),
        ("compute_120f", "sm_120", None, "sm_120"),
        ("b300", "b300", 148, "sm_103"),
    ],
)
def test_find(catalogue: Catalogue, name: str, id: str, units: int | None, arch: str) -> None:
    device = catalogue.find(name)
    assert (device.id, device.compute_units, device.arch.id, device.vendor) == (id, units, arch, "nvidia")


@pytest.mark.parametrize(
    ("typed", "id"),
    [
        ("rtx4090", "rtx-4090"), ("RTX 4090", "rtx-4090"), ("4090", "rtx-4090"), ("7900xtx", "rx-7900-xtx"),
        ("b580", "arc-b580"), ("h100pcie", "h100-pcie"), ("M1Max", "m1-max"),
    ],
)  # fmt: skip
def test_names_as_they_are_typed(catalogue: Catalogue, typed: str, id: str) -> None:
    assert catalogue.find(typed).id == id
    assert catalogue.describe(typed) == catalogue.describe(id)


def test_a_name_of_several_devices_is_asked_back(catalogue: Catalogue) -> None:
    """A whole name is never a part of another."""
    with pytest.raises(SeveralDevices, match=r"^'80gb' may be any of .*a100-80gb, .*a100-pcie-80gb"):
        catalogue.find("80gb")
    with pytest.raises(SeveralDevices, match=r" adreno-610, .* and \d+ more: name one of them$"):
        catalogue.find("adreno")
    assert catalogue.find("h100").id == "h100" and catalogue.find("rtx2080").id == "rtx-2080"
    with pytest.raises(UnknownDevice, match="unknown device 'x'"):
        catalogue.find("x")


def test_every_id_is_found_however_it_is_spelled(catalogue: Catalogue) -> None:
    for device in catalogue.all():
        assert catalogue.find(re.sub("[^a-z0-9]", "", device.id)).id == device.id


def test_an_unknown_name_is_refused_with_the_nearest(catalogue: Catalogue) -> None:
    with pytest.raises(UnknownDevice, match="unknown device 'h10'; nearest: h100") as caught:
        catalogue.find("h10")
    assert caught.value.nearest[0] == "h100"
    for name in ("", "b100", "sm_91", "x" * 5000, "../nvidia/h100", "h100.yaml", "\0", "\ud800"):
        with pytest.raises(UnknownDevice):
            catalogue.find(name)
    with pytest.raises(UnknownDevice):
        catalogue.architecture("h100")


def test_finding_one_device_parses_two_files(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    real = presets.read_preset
    monkeypatch.setattr(presets, "read_preset", lambda text, path: parsed.append(path) or real(text, path))
    for name in "h100", "h100-sxm5":
        parsed.clear()
        Catalogue(folder=builtin_folder()).find(name)
        assert [Path(p).name for p in parsed] == ["h100.yaml", "sm_90.yaml"]
    Catalogue().find("h100")
    parsed.clear()
    assert Catalogue().find("h100-sxm5").id == "h100" and not parsed


def test_estimates_say_so(catalogue: Catalogue) -> None:
    assert catalogue.find("sm_107").verified == "estimate"
    assert catalogue.find("rtx-pro-500-laptop").verified == "estimate"
    assert catalogue.find("h100").verified == "document"
    assert catalogue.find("sm_90").verified == "vendor calculator"


def test_describe_gives_every_number_with_its_source(catalogue: Catalogue) -> None:
    lines = catalogue.describe("H100-SXM").splitlines()
    assert lines[0] == "H100 SXM5 (h100), sm_90"
    assert lines[3] == "also: h100-sxm, h100-sxm5, h100-80gb, h100-80gb-hbm3, h100-sxm5-80gb, h100-sxm-80gb"
    assert "  SMs                               132            XLA device description (dumped from the device)" in lines
    assert (
        "  shared memory per block, opt-in   227 KiB        CUDA C++ Programming Guide 13, CCCL 13.3, deviceQuery"
        in lines
    )
    assert len(lines) == 41
    assert "SMs" not in catalogue.describe("sm_90")
    assert "Some texts say 158" in catalogue.describe("b300")


def test_user_presets_go_first_and_their_faults_are_placed() -> None:
    catalogue = Catalogue({"a/mine.yaml": MINE, "a/h100.yaml": MINE.replace("id: my-card", "id: h100")})
    assert catalogue.find("MINE").compute_units == 7
    assert catalogue.find("h100").compute_units == 7
    assert catalogue.problems == ()
    assert "my-card" in {d.id for d in catalogue.all()}
    faulty = Catalogue(
        {
            "b.yaml": MINE.replace("sm_90", "sm_9"),
            "c.yaml": "name: x",
            "d.yaml": "vendor: nvidea",
            "e.yaml": MINE.replace("compute_units: 7", "compute_units: some"),
            "f.yaml": "[\n",
        }
    )
    assert [str(p) for p in faulty.problems] == [
        "c.yaml:1:1: neither a device (it has 'arch') nor an architecture (it has 'vendor')",
        f"d.yaml:1:1: unknown vendor 'nvidea'; known: {', '.join(VENDORS)}",
        "e.yaml:4:16: compute_units: expected a whole number, 1 or more, not 'some'",
        "f.yaml:2:1: not YAML: did not find expected node content",
        "b.yaml:3:7: unknown device 'sm_9'; nearest: sm_90",
    ]
    with pytest.raises(UnknownDevice):
        Catalogue({"b.yaml": MINE.replace("sm_90", "sm_9")}).find("mine")


def test_a_user_architecture_serves_devices() -> None:
    text = (builtin_folder() / "nvidia" / "sm_90.yaml").read_text().replace("id: sm_90", "id: sm_999")
    device = Catalogue({"a": text, "b": MINE.replace("sm_90", "sm_999")}).find("mine")
    assert device.arch.id == "sm_999"


def test_a_missing_or_broken_folder_only_empties_the_catalogue(tmp_path: Path) -> None:
    assert Catalogue(folder=tmp_path / "none").all() == []
    (tmp_path / "nvidia" / "dir.yaml").mkdir(parents=True)
    (tmp_path / "nvidia" / "bad.yaml").write_bytes(b"\xff\xfe\0")
    catalogue = Catalogue(folder=tmp_path)
    assert catalogue.all() == [] and catalogue.problems


def test_no_mutation_of_a_preset_raises() -> None:
    rng = random.Random(2)
    source = (builtin_folder() / "nvidia" / "sm_90.yaml").read_bytes()
    for _ in range(300):
        data = bytearray(source[: rng.randrange(len(source))] if rng.random() < 0.3 else source)
        for _ in range(rng.randrange(1, 4)):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        for device in Catalogue({"m": bytes(data), "n": MINE}, folder=Path("/nonexistent")).all():
            assert device.arch.sub_partitions >= 1 and sys.maxsize > device.arch.local_unit >= 1
