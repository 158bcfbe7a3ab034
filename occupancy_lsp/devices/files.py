"""One preset file: an architecture or a device, every number with its source."""

from __future__ import annotations

from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.vendors.registry import VENDORS
from occupancy_lsp.vendors.vendor import ArchitectureFile
from occupancy_lsp.yamlfile.nodes import compose, scalar_at
from occupancy_lsp.yamlfile.reader import read_node
from occupancy_lsp.yamlfile.types import Placed, Positive, Precision, Rate, Verified


@dataclass(frozen=True, slots=True)
class DeviceFile:
    """A product: it names its architecture and adds what the product alone has; `source` is that of compute_units."""

    id: str
    name: str
    arch: Placed
    source: str
    verified: Verified
    compute_units: Positive | None = None
    aliases: tuple[str, ...] = ()
    note: str | None = None
    bandwidth_gbs: Rate | None = None  # 10^9 bytes per second of the global memory
    tflops: dict[Precision, Rate] = field(default_factory=dict)  # 10^12 floating-point operations per second
    roofline_source: str = ""  # of these two
    slices: dict[str, Positive] = field(default_factory=dict)  # compute units of its parts, by MIG's profile
    slices_source: str = ""


Content = ArchitectureFile | DeviceFile


def read_preset(text: str | bytes, path: str) -> tuple[Content | None, tuple[Problem, ...]]:
    """A file with `arch` is a device, one with `vendor` an architecture of that vendor."""
    node = compose(text, path)
    if isinstance(node, Problem):
        return None, (node,)
    vendor = scalar_at(node, "vendor")
    if scalar_at(node, "arch") is None and vendor is None:
        message = "neither a device (it has 'arch') nor an architecture (it has 'vendor')"
        return None, (Problem(path, 1, 1, message),)
    if vendor is None:
        return read_node(DeviceFile, node, path)
    if vendor not in VENDORS:
        return None, (Problem(path, 1, 1, f"unknown vendor '{vendor[:40]}'; known: {', '.join(VENDORS)}"),)
    return read_node(VENDORS[vendor].schema, node, path)
