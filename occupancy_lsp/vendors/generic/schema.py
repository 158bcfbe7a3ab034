"""The preset file of a device of the generic model (the "Occupancy calculator" notebook)."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.vendors.generic.arch import GenericArch
from occupancy_lsp.vendors.preset_fields import given
from occupancy_lsp.yamlfile.types import Bytes, Positive, Verified


@dataclass(frozen=True, slots=True)
class GenericFile:
    """vendors.generic.arch.GenericArch with what the file must prove: signs, sizes, sources."""

    id: str
    vendor: Literal["generic"]
    sub_group_sizes: tuple[Positive, ...]
    processing_blocks: Positive
    sub_group_states: Positive
    register_bytes_per_sub_group: Bytes
    register_bytes_per_unit: Bytes
    max_groups: Positive
    local_per_unit: Bytes
    verified: Verified
    note: str | None = None
    aliases: tuple[str, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)

    LABELS: ClassVar[dict[str, str]] = {
        "sub_group_sizes": "threads per sub-group",
        "processing_blocks": "processing blocks per unit",
        "sub_group_states": "sub-group states per block",
        "register_bytes_per_sub_group": "registers per sub-group",
        "register_bytes_per_unit": "registers per unit",
    }

    def architecture(self) -> GenericArch:
        """A user's empty list of sizes means sub-groups of one thread, so that the rule can always be asked."""
        return GenericArch(**{**given(self, GenericArch), "sub_group_sizes": self.sub_group_sizes or (1,)})
