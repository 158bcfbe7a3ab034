"""One preset file: an architecture or a device, every number with its source. Adding a vendor adds one schema here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.vendors.amd.schema import AmdFile
from occupancy_lsp.vendors.generic.schema import GenericFile
from occupancy_lsp.vendors.intel.schema import IntelFile
from occupancy_lsp.vendors.mobile_schema import AdrenoFile, AppleFile, ImaginationFile, MaliFile
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from occupancy_lsp.vendors.preset_fields import given
from occupancy_lsp.yamlfile.nodes import compose, scalar_at
from occupancy_lsp.yamlfile.reader import read_node
from occupancy_lsp.yamlfile.types import Bytes, Count, Placed, Positive, Precision, Rate, Verified


@dataclass(frozen=True, slots=True)
class DeviceFile:
    """A product: it names its architecture and adds what the product alone has; `source` is that of compute_units."""

    id: str
    name: str
    arch: Placed
    source: str
    verified: Verified
    compute_units: Positive | None = None
    aliases: tuple[str, ...] = ()
    note: str | None = None
    bandwidth_gbs: Rate | None = None  # 10^9 bytes per second of the global memory
    tflops: dict[Precision, Rate] = field(default_factory=dict)  # 10^12 floating-point operations per second
    roofline_source: str = ""  # of these two


@dataclass(frozen=True, slots=True)
class NvidiaFile:
    """model.device.NvidiaArch with what the file must prove: signs, sizes, sources."""

    id: str
    vendor: Literal["nvidia"]
    compute_capability: str
    sub_group_size: Positive
    max_group_size: Positive
    max_sub_groups: Positive
    max_groups: Positive
    registers_per_unit: Positive
    registers_per_group: Positive
    max_registers: Positive
    register_unit: Positive
    register_allocation: Literal["warp", "block"]
    sub_partitions: Positive
    local_per_unit: Bytes
    local_per_group: Bytes
    local_per_group_opt_in: Bytes
    local_unit: Positive
    local_reserved: Bytes
    carveouts: tuple[Bytes, ...]
    barriers_per_unit: Count | None
    clusters: bool
    verified: Verified
    note: str | None = None
    aliases: tuple[str, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)

    def architecture(self) -> Architecture:
        return NvidiaArch(**given(self, NvidiaArch))


ArchitectureFile = NvidiaFile | AmdFile | IntelFile | GenericFile | MaliFile | AdrenoFile | AppleFile | ImaginationFile
SCHEMAS: dict[str, type[ArchitectureFile]] = {
    "nvidia": NvidiaFile,
    "amd": AmdFile,
    "intel": IntelFile,
    "arm": MaliFile,
    "qualcomm": AdrenoFile,
    "apple": AppleFile,
    "imagination": ImaginationFile,
    "generic": GenericFile,
}


Content = ArchitectureFile | DeviceFile


def read_preset(text: str | bytes, path: str) -> tuple[Content | None, tuple[Problem, ...]]:
    """A file with `arch` is a device, one with `vendor` an architecture of that vendor."""
    node = compose(text, path)
    if isinstance(node, Problem):
        return None, (node,)
    vendor = scalar_at(node, "vendor")
    if scalar_at(node, "arch") is None and vendor is None:
        message = "neither a device (it has 'arch') nor an architecture (it has 'vendor')"
        return None, (Problem(path, 1, 1, message),)
    schema = DeviceFile if vendor is None else SCHEMAS.get(vendor)
    if schema is None:
        message = f"unknown vendor '{(vendor or '')[:40]}'; known: {', '.join(SCHEMAS)}"
        return None, (Problem(path, 1, 1, message),)
    return read_node(schema, node, path)
