"""All vendors, in the order in which they are listed. A new one is its folder, and its name here."""

from __future__ import annotations

from typing import Any

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.vendors.amd.vendor import AMD
from occupancy_lsp.vendors.apple.vendor import APPLE
from occupancy_lsp.vendors.arm.vendor import ARM
from occupancy_lsp.vendors.generic.vendor import GENERIC
from occupancy_lsp.vendors.imagination.vendor import IMAGINATION
from occupancy_lsp.vendors.intel.vendor import INTEL
from occupancy_lsp.vendors.nvidia.vendor import NVIDIA
from occupancy_lsp.vendors.qualcomm.vendor import QUALCOMM
from occupancy_lsp.vendors.vendor import Vendor

_LISTED: tuple[Vendor[Any], ...] = (NVIDIA, AMD, INTEL, ARM, QUALCOMM, APPLE, IMAGINATION, GENERIC)
VENDORS = {vendor.id: vendor for vendor in _LISTED}


def vendor_of(arch: Architecture) -> Vendor[Any]:
    return VENDORS[arch.vendor]
