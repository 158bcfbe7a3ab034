"""The preset file of an Adreno architecture."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.vendors.preset_fields import given
from occupancy_lsp.vendors.qualcomm.arch import AdrenoArch
from occupancy_lsp.yamlfile.types import Bytes, Positive, Verified


@dataclass(frozen=True, slots=True)
class AdrenoFile:
    """vendors.qualcomm.arch.AdrenoArch with what the file must prove: signs, sizes, sources."""

    id: str
    vendor: Literal["qualcomm"]
    wave_sizes: tuple[Positive, ...]
    max_group_size: Positive
    max_sub_groups: Positive
    wave_granularity: Positive
    register_parts: Positive
    max_registers: Positive
    local_per_unit: Bytes
    local_per_group: Bytes
    local_unit: Positive
    verified: Verified
    note: str | None = None
    aliases: tuple[str, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)

    LABELS: ClassVar[dict[str, str]] = {
        "wave_sizes": "threads per wave",
        "wave_granularity": "waves allocated together",
        "register_parts": "vec4 registers of the file",
        "max_registers": "vec4 registers per thread",
    }

    def architecture(self) -> AdrenoArch:
        """What a user\'s file leaves out or mixes up is made up: the rule can always be asked."""
        return AdrenoArch(**{**given(self, AdrenoArch), "wave_sizes": tuple(sorted(self.wave_sizes)) or (1,)})
