"""An Intel architecture as a preset file."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.vendors.intel.arch import IntelArch
from occupancy_lsp.yamlfile.types import Bytes, Count, Positive, Verified


@dataclass(frozen=True, slots=True)
class IntelFile:
    """vendors.intel.arch.IntelArch with what the file must prove; modes as registers of a thread: threads per EU."""

    id: str
    vendor: Literal["intel"]
    eus_per_unit: Positive
    threads_per_eu: dict[Positive, Positive]
    default_grf: Positive
    register_bytes: Positive
    sub_group_sizes: tuple[Positive, ...]
    sub_group_size: Positive
    max_group_size: Positive
    local_per_unit: Bytes
    local_per_group: Bytes
    local_steps: tuple[Bytes, ...]
    barriers_per_unit: Count
    calculator_groups: Positive | None
    calculator_barriers: Count | None
    calculator_local: Bytes | None
    verified: Verified
    unit: Literal["subslice", "dual subslice", "Xe-core"] = "Xe-core"
    note: str | None = None
    aliases: tuple[str, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)

    LABELS: ClassVar[dict[str, str]] = {
        "unit": "runs work-groups",
        "eus_per_unit": "EUs per {0.unit}",
        "threads_per_eu": "hardware threads per EU, by GRF mode",
        "default_grf": "GRF mode, by default",
        "register_bytes": "bytes of a general register",
        "sub_group_sizes": "SIMD widths",
        "sub_group_size": "SIMD width, by default",
        "max_group_size": "work-items per work-group",
        "local_per_unit": "SLM per {0.unit}",
        "local_per_group": "SLM per work-group",
        "local_steps": "SLM allocation steps",
        "barriers_per_unit": "barriers per {0.unit}",
        "calculator_groups": "work-groups, says the calculator",
        "calculator_barriers": "barriers, says the calculator",
        "calculator_local": "SLM, says the calculator",
    }

    def architecture(self) -> IntelArch:
        """What a user's file leaves out is made up so that the rule can always be asked: never an empty list."""
        return IntelArch(
            id=self.id,
            vendor=self.vendor,
            eus_per_unit=self.eus_per_unit,
            grf_modes=tuple(sorted(self.threads_per_eu.items())) or ((self.default_grf, 1),),
            default_grf=self.default_grf,
            register_bytes=self.register_bytes,
            sub_group_sizes=tuple(sorted({*self.sub_group_sizes, self.sub_group_size})),
            sub_group_size=self.sub_group_size,
            max_group_size=self.max_group_size,
            local_per_unit=self.local_per_unit,
            local_per_group=self.local_per_group,
            local_steps=tuple(sorted(self.local_steps)),
            barriers_per_unit=self.barriers_per_unit,
            calculator_groups=self.calculator_groups,
            calculator_barriers=self.calculator_barriers,
            calculator_local=self.calculator_local,
            unit=self.unit,
        )
