"""The preset files of Arm, Qualcomm, Apple and Imagination architectures.

What a user's file leaves out or mixes up is made up so that the rule can always be asked: lists rise and are not empty.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from occupancy_lsp.vendors.mobile_arch import AdrenoArch, AppleArch, ImaginationArch, MaliArch
from occupancy_lsp.vendors.preset_fields import given
from occupancy_lsp.yamlfile.types import Bytes, Positive, Verified


@dataclass(frozen=True, slots=True)
class MaliFile:
    """model.mobile_arch.MaliArch with what the file must prove: signs, sizes, sources."""

    id: str
    vendor: Literal["arm"]
    sub_group_size: Positive
    max_group_size: Positive
    max_threads: Positive
    register_classes: tuple[Positive, ...]
    register_bits: Positive
    local_per_group: Bytes
    verified: Verified
    note: str | None = None
    aliases: tuple[str, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)

    LABELS: ClassVar[dict[str, str]] = {
        "max_threads": "threads per core",
        "register_classes": "registers with all, half, … of them",
        "register_bits": "bits per register",
    }

    def architecture(self) -> MaliArch:
        return MaliArch(**{**given(self, MaliArch), "register_classes": tuple(sorted(self.register_classes)) or (1,)})


@dataclass(frozen=True, slots=True)
class AdrenoFile:
    """model.mobile_arch.AdrenoArch with what the file must prove: signs, sizes, sources."""

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
        return AdrenoArch(**{**given(self, AdrenoArch), "wave_sizes": tuple(sorted(self.wave_sizes)) or (1,)})


@dataclass(frozen=True, slots=True)
class AppleFile:
    """model.mobile_arch.AppleArch with what the file must prove: signs, sizes, sources."""

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


@dataclass(frozen=True, slots=True)
class ImaginationFile:
    """model.mobile_arch.ImaginationArch with what the file must prove: signs, sizes, sources."""

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
