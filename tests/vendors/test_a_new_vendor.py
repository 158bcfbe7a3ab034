"""A vendor is an object in the registry: everything else knows it then."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest

from occupancy_lsp.cli.main import main
from occupancy_lsp.model.architecture import Uncounted
from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy
from occupancy_lsp.model.settle import settle
from occupancy_lsp.source.lower.vendor_extensions import NAMED
from occupancy_lsp.vendors.preset_fields import given
from occupancy_lsp.vendors.registry import VENDORS
from occupancy_lsp.vendors.vendor import Vendor
from occupancy_lsp.yamlfile.types import Bytes, Positive, Verified


@dataclass(frozen=True, slots=True)
class ToyArch(Uncounted):
    """Nothing but slots and local memory limits."""

    id: str
    vendor: str
    sub_group_size: int
    max_sub_groups: int
    max_group_size: int
    max_registers: int
    local_per_unit: int

    @property
    def max_groups(self) -> int:
        return self.max_sub_groups

    @property
    def local_per_group(self) -> int:
        return self.local_per_unit

    @property
    def local_unit(self) -> int:
        return 1

    def occupancy(self, need: Need) -> Occupancy:
        each, local = self.sub_groups(need), need.static_local + need.dynamic_local
        by_memory = self.local_per_unit // local if local else None
        limits = Limits(self.max_sub_groups // each, None, None, by_memory, None)
        fault = Fault("local_memory", local, self.local_per_unit)
        return settle(limits, each, self.max_sub_groups, lambda: fault)


@dataclass(frozen=True, slots=True)
class ToyFile:
    id: str
    vendor: Literal["toy"]
    sub_group_size: Positive
    max_sub_groups: Positive
    max_group_size: Positive
    max_registers: Positive
    local_per_unit: Bytes
    verified: Verified
    note: str | None = None
    aliases: tuple[str, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)

    def architecture(self) -> ToyArch:
        return ToyArch(**given(self, ToyArch))


PRESET = """
id: toy-1
vendor: toy
sub_group_size: 16
max_sub_groups: 8
max_group_size: 128
max_registers: 64
local_per_unit: 4096
verified: estimate
"""
KERNEL = "__kernel void k(__global float *x) { __local float t[512]; t[get_local_id(0)] = x[0]; x[1] = t[2]; }\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose presets have a device of the vendor."""
    monkeypatch.setitem(VENDORS, "toy", Vendor("toy", "Toy Inc.", ToyFile))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toy-1.yaml").write_text(PRESET, "utf-8")
    (tmp_path / ".occupancy.yaml").write_text("presets: [toy-1.yaml]\n", "utf-8")
    return tmp_path


def test_it_is_listed_by_its_name(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["devices"]) == 0
    *_, last = capsys.readouterr().out.split("\n\n")
    assert last.splitlines()[0] == "Toy Inc." and "toy-1" in last


def test_its_rule_answers_calc(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calc", "--device", "toy-1", "--block", "32", "--shared", "2048"]) == 0
    told = "50% occupancy, 2 work-groups of 32 threads per compute unit (4 of 8 sub-groups), limited by local memory"
    assert told in capsys.readouterr().out


def test_kernels_are_checked_for_it(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "k.cl").write_text(f"// occupancy: block=32\n{KERNEL}", "utf-8")
    assert main(["check", "k.cl", "--device", "toy-1", "--hints"]) == 0
    assert "50% · 2 WG/compute unit · local" in capsys.readouterr().out


def test_opencl_speaks_of_registered_vendors_only() -> None:
    """The reader, which knows no vendor, finds whose extensions a kernel uses."""
    speaking = {name for name, vendor in VENDORS.items() if vendor.speaking}
    assert set(NAMED.groupindex) == speaking
