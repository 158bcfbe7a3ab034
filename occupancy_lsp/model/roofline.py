"""The roofline: whether arithmetic or memory bounds a kernel, and how fast it can be at most.

Source of the rule: the GPU optimization guide whose formulas `tests/documents` holds. A kernel of F floating-point
operations that moves B bytes of global memory has the arithmetic intensity I = F / B; it runs at no more than
min(I * bandwidth, peak). The two meet at the ridge point.
"""

from __future__ import annotations

from dataclasses import dataclass

from occupancy_lsp.model.device import Device


@dataclass(frozen=True, slots=True)
class Roofline:
    """Of one device for one precision. `peak` in operations per second, `bandwidth` in bytes per second."""

    precision: str
    peak: float
    bandwidth: float

    @property
    def ridge(self) -> float:
        """The intensity, in operations per byte, from which on the peak bounds instead of the bandwidth."""
        return self.peak / self.bandwidth

    def attainable(self, intensity: float) -> float:
        """Operations per second."""
        return min(intensity * self.bandwidth, self.peak)

    def memory_bound(self, intensity: float) -> bool:
        """At the ridge point itself both bound; it counts as compute bound."""
        return intensity < self.ridge


def rooflines(device: Device) -> tuple[Roofline, ...]:
    """One per precision of known peak; none where the bandwidth is not known."""
    if device.bandwidth is None:
        return ()
    return tuple([Roofline(precision, peak, device.bandwidth) for precision, peak in device.peaks])


def intensity(operations: float, moved: float) -> float:
    """Operations per byte of global memory read or written. ValueError: one of them is not above 0."""
    if operations <= 0 or moved <= 0:
        raise ValueError("a kernel has operations and moves bytes: both must be above 0")
    return operations / moved
