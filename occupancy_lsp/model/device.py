"""Devices as data."""

from __future__ import annotations

from dataclasses import dataclass

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.nouns import Nouns


@dataclass(frozen=True, slots=True)
class Device:
    """A product with an architecture; a bare architecture ("sm_90") is a device without compute units."""

    id: str
    name: str
    vendor: str
    arch: Architecture
    compute_units: int | None
    verified: str  # against what the number of compute units was checked
    arch_verified: str  # against what the architecture's numbers were checked, on which occupancy rests
    note: str | None = None
    bandwidth: float | None = None  # bytes per second of the global memory
    peaks: tuple[tuple[str, float], ...] = ()  # (precision, floating-point operations per second)
    roofline_source: str = ""

    @property
    def estimated(self) -> bool:
        return self.arch_verified == "estimate"

    @property
    def nouns(self) -> Nouns:
        """The words of the vendor's users."""
        return self.arch.nouns
