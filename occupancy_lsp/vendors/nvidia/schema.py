"""The preset file of a compute capability."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from occupancy_lsp.vendors.preset_fields import given
from occupancy_lsp.yamlfile.types import Bytes, Count, Positive, Verified


@dataclass(frozen=True, slots=True)
class NvidiaFile:
    """vendors.nvidia.hardware.NvidiaHardware with what the file must prove: signs, sizes, sources."""

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
    max_cluster: Positive | None = None
    gpcs: Positive | None = None
    units_per_gpc: Positive | None = None
    tensor_columns: Positive | None = None
    aliases: tuple[str, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)

    def architecture(self) -> NvidiaArch:
        return NvidiaArch(**given(self, NvidiaArch))
