"""Imagination: nothing but its architectures is known."""

from __future__ import annotations

from occupancy_lsp.vendors.imagination.arch import ImaginationArch
from occupancy_lsp.vendors.imagination.schema import ImaginationFile
from occupancy_lsp.vendors.vendor import Vendor

IMAGINATION: Vendor[ImaginationArch] = Vendor(
    "imagination", "Imagination", ImaginationFile, brands=frozenset({"imagination"}), lines=frozenset({"powervr"})
)
