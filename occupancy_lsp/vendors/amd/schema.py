"""The preset file of an AMD architecture: one gfx target, or a VLIW generation."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.preset_fields import given
from occupancy_lsp.yamlfile.types import Bytes, Count, Positive, Verified


@dataclass(frozen=True, slots=True)
class AmdFile:
    """vendors.amd.hardware.AmdHardware with what the file must prove: signs, sizes, sources."""

    id: str
    vendor: Literal["amd"]
    generation: str
    sub_group_size: Positive
    sub_group_sizes: tuple[Positive, ...]
    modes: tuple[Literal["cu", "wgp"], ...]
    max_group_size: Positive
    simds_per_cu: Positive
    waves_per_simd: Positive
    groups_per_cu: Positive
    registers_per_simd: Positive
    max_registers: Positive
    register_unit: Positive
    accumulation: Literal["none", "separate", "unified"]
    local_per_cu: Bytes
    local_per_group: Bytes
    local_unit: Positive
    verified: Verified
    scalars_per_simd: Positive | None = None
    scalar_unit: Positive = 1
    scalar_reserve: Count = 0
    scalars_fixed: Positive | None = None
    compiler_waves_per_simd: Positive | None = None
    compiler_local_per_cu: Bytes | None = None
    compiler_local_unit: Positive | None = None
    note: str | None = None
    aliases: tuple[str, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)

    LABELS: ClassVar[dict[str, str]] = {
        "sub_group_size": "threads per wave, by default",
        "sub_group_sizes": "threads per wave",
        "simds_per_cu": "SIMDs per CU",
        "waves_per_simd": "waves per SIMD",
        "groups_per_cu": "work-groups per CU",
        "registers_per_simd": "VGPRs per SIMD, of such lanes",
        "max_registers": "VGPRs per thread",
        "register_unit": "VGPR allocation unit",
        "accumulation": "accumulation registers",
        "scalars_per_simd": "SGPRs per SIMD",
        "scalar_unit": "SGPR allocation unit",
        "scalar_reserve": "SGPRs of the trap handler",
        "scalars_fixed": "SGPRs of every wave",
        "local_per_cu": "LDS per CU",
        "compiler_waves_per_simd": "waves per SIMD, says LLVM",
        "compiler_local_per_cu": "LDS per CU, says LLVM",
        "compiler_local_unit": "LDS allocation unit, says LLVM",
    }

    def architecture(self) -> AmdArch:
        """What a user's file leaves out is made up so that the rule can always be asked: never an empty list."""
        sizes = tuple(sorted({*self.sub_group_sizes, self.sub_group_size}))
        return AmdArch(**given(self, AmdArch) | {"modes": self.modes or ("cu",), "sub_group_sizes": sizes})
