"""Qualcomm: nothing but its architectures is known."""

from __future__ import annotations

from occupancy_lsp.vendors.qualcomm.arch import AdrenoArch
from occupancy_lsp.vendors.qualcomm.schema import AdrenoFile
from occupancy_lsp.vendors.vendor import Vendor

QUALCOMM: Vendor[AdrenoArch] = Vendor(
    "qualcomm", "Qualcomm", AdrenoFile, brands=frozenset({"qualcomm"}), speaking=("adreno-740",)
)
