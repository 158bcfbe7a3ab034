"""The preset file of a Mali architecture."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.vendors.arm.arch import MaliArch
from occupancy_lsp.vendors.preset_fields import given
from occupancy_lsp.yamlfile.types import Bytes, Positive, Verified


@dataclass(frozen=True, slots=True)
class MaliFile:
    """vendors.arm.arch.MaliArch with what the file must prove: signs, sizes, sources."""

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
        """What a user\'s file leaves out or mixes up is made up: the rule can always be asked."""
        return MaliArch(**{**given(self, MaliArch), "register_classes": tuple(sorted(self.register_classes)) or (1,)})
