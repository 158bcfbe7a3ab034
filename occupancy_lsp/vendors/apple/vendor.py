"""Apple: nothing but its architectures is known."""

from __future__ import annotations

from occupancy_lsp.vendors.apple.arch import AppleArch
from occupancy_lsp.vendors.apple.schema import AppleFile
from occupancy_lsp.vendors.vendor import Vendor

APPLE: Vendor[AppleArch] = Vendor("apple", "Apple", AppleFile, brands=frozenset({"apple"}))
