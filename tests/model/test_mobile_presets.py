"""The presets of Arm, Qualcomm, Apple, Imagination and the generic model: complete, sourced, and robust."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import pytest

from occupancy_lsp.core.naming import canonical
from occupancy_lsp.devices.catalogue import Catalogue
from occupancy_lsp.devices.files import DeviceFile, read_preset
from occupancy_lsp.devices.presets import builtin_folder
from occupancy_lsp.model.full import register_budget
from occupancy_lsp.model.occupancy import Need
from tests.presets import CATALOGUE

VENDORS = ("arm", "qualcomm", "apple", "imagination", "generic")
FILES = [path for vendor in VENDORS for path in sorted((builtin_folder() / vendor).glob("*.yaml"))]
# What every architecture answers, whatever its vendor: rules and features ask for these.
NEUTRAL = (
    *("sub_group_size", "max_group_size", "max_sub_groups", "max_groups", "max_registers", "local_per_group"),
    *("local_per_group_opt_in", "local_unit", "local_per_unit"),
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_clean_named_by_its_id_and_sourced(path: Path) -> None:
    content, problems = read_preset(path.read_bytes(), str(path))
    assert problems == () and content is not None
    assert content.id == path.stem == canonical(content.id)
    assert all(alias == canonical(alias) for alias in content.aliases)
    if isinstance(content, DeviceFile):
        assert (content.verified == "estimate") == content.source.startswith("from memory")
        assert bool(content.bandwidth_gbs) == bool(content.tflops) == bool(content.roofline_source)
        return
    arch = content.architecture()
    given = {field.name for field in dataclasses.fields(arch)} - {"id", "vendor"}
    assert content.sources.keys() == given
    assert all(getattr(arch, name) >= 1 for name in NEUTRAL)
    assert (arch.local_reserved, arch.barriers_per_unit, arch.clusters) == (0, None, False)
    assert arch.vendor == path.parent.name


def test_there_are_devices_of_every_vendor() -> None:
    named = [it for it in CATALOGUE.all() if it.id != it.arch.id]
    count = {vendor: len([it for it in named if it.vendor == vendor]) for vendor in VENDORS}
    assert count["arm"] >= 20 and count["qualcomm"] >= 15 and count["apple"] >= 10
    assert count["imagination"] == count["generic"] == 3


@pytest.mark.parametrize("vendor", VENDORS)
def test_no_mutation_of_a_preset_raises(vendor: str) -> None:
    rng = random.Random(vendor)
    architectures = [path for path in FILES if path.parent.name == vendor and b"vendor:" in path.read_bytes()]
    for _ in range(200):
        data = bytearray(rng.choice(architectures).read_bytes())
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.choice(b"0019[],:- \nx")
        for device in Catalogue({"m": bytes(data)}, folder=Path("/nonexistent")).all():
            assert device.arch.occupancy(Need(64, 20, 100)).percent >= 0
            assert register_budget(device.arch) != 0


def test_a_sub_group_wider_than_the_core_is_one() -> None:
    text = (
        (builtin_folder() / "arm" / "mali-valhall.yaml")
        .read_text()
        .replace("sub_group_size: 16", "sub_group_size: 4096")
    )
    arch = Catalogue({"m": text}).find("mali-valhall").arch
    assert arch.max_sub_groups == 1 and arch.occupancy(Need(64)).percent == 100
