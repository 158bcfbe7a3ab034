"""Intel's presets are complete, sourced and consistent, and a user's file cannot make the model stumble."""

from __future__ import annotations

import dataclasses
import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest

from occupancy_lsp.core.naming import canonical
from occupancy_lsp.devices.catalogue import Catalogue
from occupancy_lsp.devices.files import DeviceFile, read_preset
from occupancy_lsp.devices.presets import builtin_folder
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.intel.arch import IntelArch
from occupancy_lsp.vendors.intel.schema import IntelFile
from tests.presets import CATALOGUE

FILES = sorted((builtin_folder() / "intel").glob("*.yaml"))
NAMED = ("gen9", "gen11", "xe_lp", "xe_hpg", "xe_lpg", "xe_hpc", "xe2", "xe3", "xe3p")
WORDS = ("id", "vendor", "verified", "note", "aliases", "sources")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_clean_named_by_its_id_and_sourced(path: Path) -> None:
    content, problems = read_preset(path.read_bytes(), str(path))
    assert problems == () and content is not None and content.id == path.stem
    assert all(alias == canonical(alias) for alias in content.aliases)  # they are searched for in the text
    if isinstance(content, DeviceFile):
        assert (content.verified == "estimate") == (re.match("from memory", content.source) is not None)
    else:
        assert isinstance(content, IntelFile)
        assert content.sources.keys() == {f.name for f in dataclasses.fields(content)} - set(WORDS)
        assert content.LABELS.keys() == content.sources.keys()


def _architectures() -> list[IntelFile]:
    contents = [read_preset(path.read_bytes(), str(path))[0] for path in FILES]
    return [content for content in contents if isinstance(content, IntelFile)]


@pytest.mark.parametrize("file", _architectures(), ids=lambda file: file.id)
def test_an_architecture_is_consistent(file: IntelFile) -> None:
    arch = file.architecture()
    registers = [count for count, _ in arch.grf_modes]
    assert arch.default_grf in registers and registers == sorted(set(registers))
    assert arch.sub_group_size in arch.sub_group_sizes == tuple(sorted(arch.sub_group_sizes))
    assert arch.local_steps == tuple(sorted(set(arch.local_steps)))
    assert arch.local_per_group in arch.local_steps and arch.local_per_group <= arch.local_per_unit
    assert all(step % arch.local_unit == 0 for step in arch.local_steps)
    # compute-runtime: the power of two below all threads of the smallest width, at most 1024
    most = arch.eus_per_unit * max(t for _, t in arch.grf_modes) * arch.sub_group_sizes[0]
    assert arch.max_group_size == min(1024, 1 << (most.bit_length() - 1))
    known = (arch.calculator_groups, arch.calculator_barriers, arch.calculator_local)
    assert known in ((None,) * 3,) or None not in known
    assert arch.calculator_groups in (None, arch.max_groups)
    assert (file.verified == "vendor calculator") == (None not in known)
    assert (arch.register_bytes == 64) == (8 not in arch.sub_group_sizes)


def test_there_are_all_architectures_and_many_devices() -> None:
    found = [device for device in CATALOGUE.all() if device.vendor == "intel"]
    assert set(NAMED) <= {device.id for device in found if device.compute_units is None}
    assert sum(device.compute_units is not None for device in found) == 74
    names = Counter(name for content in _architectures() for name in (content.id, *content.aliases))
    several = {
        "alchemist",
        "adl-n",
        "twl",
        "gen12lp",
        "nvl-u",
        "nvl-h",
    }  # of two kinds, or not known
    shared = {name for name, count in names.items() if count > 1}
    assert {it for it in shared if not it.startswith("0x")} == several
    numbers = [{*content.aliases} for content in _architectures() if content.id in ("xe_lp", "xe_lp_12")]
    assert shared - several <= set.intersection(*numbers)  # numbers of PCI devices with 24 or 32 EUs


@pytest.mark.parametrize(
    ("name", "id", "units", "arch"),
    [
        ("arc-b580", "arc-b580", 20, "xe2"),
        ("Arc B580", "arc-b580", 20, "xe2"),
        ("arc a770", "arc-a770", 32, "xe_hpg"),
        ("Arc-A380", "arc-a380", 8, "xe_hpg_g11"),
        ("data-center-gpu-max-1550", "data-center-gpu-max-1550", 128, "xe_hpc"),
        ("Max 1100", "data-center-gpu-max-1100", 56, "xe_hpc"),
        ("UHD Graphics 630", "uhd-630", 3, "gen9"),
        ("XE_HPC", "xe_hpc", None, "xe_hpc"),
        ("xe-hpc", "xe_hpc", None, "xe_hpc"),
        ("dg2-g11", "xe_hpg_g11", None, "xe_hpg_g11"),
    ],
)
def test_find(name: str, id: str, units: int | None, arch: str) -> None:
    device = CATALOGUE.find(name)
    assert (device.id, device.compute_units, device.arch.id, device.vendor) == (id, units, arch, "intel")


@pytest.mark.parametrize(
    ("device", "eus"),
    [
        # EUs as Intel's calculator lists them
        ("uhd-630", 24),
        ("iris-pro-580", 72),
        ("iris-plus-g7", 64),
        ("iris-xe", 96),
        ("iris-xe-80", 80),
        ("uhd-610", 12),
        ("uhd-605", 18),
        ("uhd-730", 24),
        ("arc-a770", 512),
        ("arc-a310", 96),
        ("data-center-gpu-flex-140", 128),
        ("data-center-gpu-max-1100", 448),
        ("arc-graphics-mtl-h", 128),
        ("arc-b570", 144),
        ("graphics-lnl", 32),
    ],
)
def test_units_make_up_the_eus(device: str, eus: int) -> None:
    found = CATALOGUE.find(device)
    assert isinstance(found.arch, IntelArch) and found.compute_units is not None
    assert found.compute_units * found.arch.eus_per_unit == eus


def test_describe_speaks_of_eus_and_modes() -> None:
    lines = CATALOGUE.describe("arc-b580").splitlines()
    assert lines[0] == "Arc B580 (arc-b580), xe2"
    columns = [re.split(r" {2,}", line.strip()) for line in lines if line.startswith("  ")]
    shown = {row[0]: row[1] for row in columns}
    assert shown["hardware threads per EU, by GRF mode"] == "128: 8, 256: 4"
    assert (shown["SLM per Xe-core"], shown["SLM, says the calculator"]) == ("160 KiB", "128 KiB")
    assert (shown["SIMD widths"], shown["Xe-cores"]) == ("16 32", "20")


def test_a_users_file_may_leave_the_lists_empty() -> None:
    text = (builtin_folder() / "intel" / "xe_hpc.yaml").read_text("utf-8")
    for line in ("threads_per_eu: {}", "sub_group_sizes: []", "local_steps: []", "default_grf: 9999"):
        key = line.partition(":")[0]
        changed = re.sub(rf"^{key}: .*$", line, text, flags=re.MULTILINE).replace("id: xe_hpc", "id: mine")
        arch = Catalogue({"a": changed}).find("mine").arch
        assert isinstance(arch, IntelArch)
        result = arch.occupancy(Need(8, static_local=5000, barriers=1))
        assert (result.groups == 0) == (key == "default_grf")


def test_no_mutation_of_a_preset_raises() -> None:
    rng = random.Random(3)
    source = (builtin_folder() / "intel" / "xe3p.yaml").read_bytes()
    for _ in range(300):
        data = bytearray(source[: rng.randrange(len(source))] if rng.random() < 0.3 else source)
        for _ in range(rng.randrange(1, 4)):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        for device in Catalogue({"m": bytes(data)}, folder=Path("/nonexistent")).all():
            assert isinstance(device.arch, IntelArch)
            device.arch.occupancy(Need(64, static_local=3000, barriers=1))
            json.dumps(dataclasses.asdict(device))
