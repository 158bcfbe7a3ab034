"""One of the ways in which a compiler may build a kernel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variant:
    """None: the architecture's own."""

    sub_group: int | None = None  # threads per sub-group
    mode: str | None = None  # AMD: "cu" or "wgp"
    grf: int | None = None  # Intel: general registers per hardware thread
