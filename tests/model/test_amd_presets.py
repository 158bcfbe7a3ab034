"""AMD's preset files are complete, sourced and consistent, and say what AMD's documents say."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from occupancy_lsp.core.naming import canonical
from occupancy_lsp.devices.catalogue import Catalogue
from occupancy_lsp.devices.files import DeviceFile, read_preset
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.amd.schema import AmdFile
from tests.presets import CATALOGUE

from .amd_support import FOLDER, archs

FILES = sorted(FOLDER.glob("*.yaml"))
_OPTIONAL = {"scalars_per_simd", "scalar_unit", "scalar_reserve", "scalars_fixed"} | {
    f.name for f in dataclasses.fields(AmdArch) if f.name.startswith("compiler_")
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_clean_named_by_its_id_and_sourced(path: Path) -> None:
    content, problems = read_preset(path.read_bytes(), str(path))
    assert problems == () and content is not None
    assert content.id == path.stem == canonical(content.id)
    assert all(alias == canonical(alias) for alias in content.aliases)
    if isinstance(content, DeviceFile):
        assert content.source and (content.verified == "estimate") == (content.source == "from memory")
        return
    assert isinstance(content, AmdFile)
    numbers = {f.name for f in dataclasses.fields(AmdArch)} - {"id", "vendor", "generation"}
    assert numbers - _OPTIONAL <= content.sources.keys() <= numbers
    given = {line.partition(":")[0] for line in path.read_text().splitlines() if not line.startswith(" ")}
    assert content.sources.keys() == given & numbers


@pytest.mark.parametrize("name", sorted(archs()))
def test_an_architecture_is_consistent(name: str) -> None:
    arch = archs()[name]
    assert arch.max_group_size <= arch.max_sub_groups * arch.sub_group_size
    assert arch.local_per_group <= arch.local_per_cu and arch.local_per_group % arch.local_unit == 0
    assert arch.registers_per_simd % arch.register_unit == 0 or arch.register_unit % 24 == 0
    assert arch.max_registers <= arch.registers_per_simd
    assert (arch.scalars_per_simd is None) == (arch.vliw or arch.generation.startswith(("RDNA", "gfx1")))
    assert arch.occupancy(Need(arch.sub_group_size)).groups > 0
    assert arch.local_per_group_opt_in == arch.local_per_group and arch.local_reserved == 0 and not arch.clusters


def test_there_are_all_architectures_and_many_devices() -> None:
    catalogue = CATALOGUE
    found = [device for device in catalogue.all() if device.vendor == "amd"]
    bare = [device for device in found if device.id == device.arch.id]
    assert catalogue.problems == ()
    assert len(bare) == len(archs()) == 58 and len(found) - len(bare) == 108
    assert {"vliw5", "vliw4", "gfx600", "gfx803", "gfx90a", "gfx942", "gfx950", "gfx1201", "gfx1250"} <= archs().keys()


@pytest.mark.parametrize(
    ("name", "id", "units", "arch", "waves"),
    [
        ("MI300X", "mi300x", 304, "gfx942", 9728),
        ("mi250x", "mi250x", 110, "gfx90a", 3520),
        ("MI250", "mi250", 104, "gfx90a", 3328),  # the peak in the Omniperf profile
        ("mi210", "mi210", 104, "gfx90a", 3328),
        ("mi100", "mi100", 120, "gfx908", 4800),
        ("mi355x", "mi355x", 256, "gfx950", 8192),
        ("RX 7900 XTX", "rx-7900-xtx", 96, "gfx1100", 3072),
        ("rx_580", "rx-580", 36, "gfx803-polaris", 1152),
        ("Vega 64", "rx-vega-64", 64, "gfx900", 2560),
        ("strix-halo", "radeon-8060s", 40, "gfx1151", 1280),
        ("hd-5870", "hd-5870", 20, "vliw5", 640),
        ("GFX90A", "gfx90a", None, "gfx90a", None),
    ],
)
def test_find(name: str, id: str, units: int | None, arch: str, waves: int | None) -> None:
    device = CATALOGUE.find(name)
    assert (device.id, device.compute_units, device.arch.id, device.vendor) == (id, units, arch, "amd")
    if waves is not None and units is not None:
        result = device.arch.occupancy(Need(device.arch.sub_group_size))
        assert units // result.compute_units * result.max_sub_groups == waves


def test_a_file_of_ones_own_that_leaves_things_out_can_be_asked() -> None:
    text = (FOLDER / "gfx90a.yaml").read_text().replace("modes: [cu]", "modes: []").replace("sizes: [64]", "sizes: []")
    catalogue = Catalogue({"mine.yaml": text.replace("id: gfx90a", "id: gfx90z")})
    assert catalogue.find("gfx90z").arch.occupancy(Need(256, 122)).percent == 50


def test_describe_gives_every_number_with_its_source() -> None:
    lines = CATALOGUE.describe("rx-7900-xtx").splitlines()
    assert lines[0] == "Radeon RX 7900 XTX (rx-7900-xtx), gfx1100"
    shown = "\n".join(" ".join(line.split()) for line in lines)
    assert "CUs 96 AMD DeviceInfo.cpp a44c00c, ROCm gpu-arch-specs" in shown
    assert "VGPRs per SIMD, of such lanes 1536 LLVM 16 to 24 (asked)" in shown
    assert "threads per wave 32 64 LLVM AMDGPUUsage" in shown
    assert "LDS allocation unit, says LLVM 512 LLVM 24 (asked)" in shown
