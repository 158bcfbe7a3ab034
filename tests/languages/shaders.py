"""What the tests of compute shaders share: devices whose drivers were measured, and how an answer is judged."""

from __future__ import annotations

from pathlib import Path

from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.session.project import Project
from occupancy_lsp.source.kernels.kernel import Kernel

AMD, INTEL, UNKNOWN = "mi300x", "arc-b580", "h100"


def project_of(device: str, folder: Path | None) -> Project:
    project = Project(folder, None, {"devices": [device]})
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    return project


def judged(said: tuple[int, int | None], true: int) -> str:
    """`exact`, `open` or `wrong`."""
    low, high = said
    if not low <= true or (high is not None and high < true):
        return "wrong"
    return "exact" if low == high else "open"


def bytes_of_lds(kernel: Kernel, unit: int) -> tuple[int, int | None]:
    high = kernel.local.highest
    return round_up(kernel.local.lowest, unit), None if high is None else round_up(high, unit)
