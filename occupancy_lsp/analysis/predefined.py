"""What a device's compiler, or its driver, gives a source before its first line."""

from __future__ import annotations

from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.model.device import Device
from occupancy_lsp.source.lex.dialect import GROUP_MEMORY
from occupancy_lsp.vendors.registry import vendor_of


def predefined(device: Device | None, language: str) -> dict[str, int]:
    """Macros whose value is a number, and how the driver lays out the memory of a shader's work-group."""
    if device is None:
        return {}
    vendor = vendor_of(device.arch)
    if not LANGUAGES[language].by_driver:
        return vendor.predefined(device.arch, language)
    return {} if vendor.group_memory is None else {GROUP_MEMORY: vendor.group_memory}
