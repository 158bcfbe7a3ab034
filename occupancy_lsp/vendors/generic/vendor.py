"""The generic model: a notebook, and no compiler."""

from __future__ import annotations

from occupancy_lsp.vendors.generic.arch import GenericArch
from occupancy_lsp.vendors.generic.schema import GenericFile
from occupancy_lsp.vendors.vendor import Vendor

GENERIC: Vendor[GenericArch] = Vendor(
    "generic",
    "Generic model",
    GenericFile,
    brands=frozenset({"nvidia", "intel"}),
    own_inputs=frozenset({"register_bytes"}),
)
