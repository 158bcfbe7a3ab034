"""The preset file of an Imagination architecture."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.vendors.imagination.arch import ImaginationArch
from occupancy_lsp.vendors.preset_fields import given
from occupancy_lsp.yamlfile.types import Bytes, Positive, Verified


@dataclass(frozen=True, slots=True)
class ImaginationFile:
    """vendors.imagination.arch.ImaginationArch with what the file must prove: signs, sizes, sources."""

    id: str
    vendor: Literal["imagination"]
    sub_group_size: Positive
    max_group_size: Positive
    max_sub_groups: Positive
    full_registers: Positive
    max_registers: Positive
    local_per_unit: Bytes
    local_per_group: Bytes
    local_unit: Positive
    verified: Verified
    note: str | None = None
    aliases: tuple[str, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)

    LABELS: ClassVar[dict[str, str]] = {
        "full_registers": "registers with all tasks",
        "max_registers": "registers per thread",
    }

    def architecture(self) -> ImaginationArch:
        return ImaginationArch(**given(self, ImaginationArch))
