"""The preset file of an Apple architecture."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.vendors.apple.arch import AppleArch
from occupancy_lsp.vendors.preset_fields import given
from occupancy_lsp.yamlfile.types import Bytes, Positive, Verified


@dataclass(frozen=True, slots=True)
class AppleFile:
    """vendors.apple.arch.AppleArch with what the file must prove: signs, sizes, sources."""

    id: str
    vendor: Literal["apple"]
    sub_group_size: Positive
    max_group_size: Positive
    max_threads: Positive
    register_halves: Positive | None
    register_unit: Positive
    thread_unit: Positive
    max_registers: Positive
    local_per_unit: Bytes
    local_per_group: Bytes
    local_unit: Positive
    verified: Verified
    note: str | None = None
    aliases: tuple[str, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)

    LABELS: ClassVar[dict[str, str]] = {
        "max_threads": "threads per GPU core",
        "register_halves": "16-bit registers per GPU core",
        "thread_unit": "threads allocated together",
        "max_registers": "16-bit registers per thread",
    }

    def architecture(self) -> AppleArch:
        return AppleArch(**given(self, AppleArch))
