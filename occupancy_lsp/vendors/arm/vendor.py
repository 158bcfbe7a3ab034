"""Arm: nothing but its architectures is known."""

from __future__ import annotations

from occupancy_lsp.vendors.arm.arch import MaliArch
from occupancy_lsp.vendors.arm.schema import MaliFile
from occupancy_lsp.vendors.vendor import Vendor

ARM: Vendor[MaliArch] = Vendor(
    "arm", "Arm", MaliFile, speaking=("mali-g78-mp14",), brands=frozenset({"arm"}), lines=frozenset({"mali"})
)
