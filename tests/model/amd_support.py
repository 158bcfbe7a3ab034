"""AMD's architectures and LLVM's rows for the model's tests."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from occupancy_lsp.devices.presets import builtin_folder
from occupancy_lsp.vendors.amd.arch import AmdArch
from tests.presets import CATALOGUE

_DATA = Path(__file__).parent.parent / "data" / "amd"
FOLDER = builtin_folder() / "amd"


@cache
def amd(name: str) -> AmdArch:
    arch = archs()[name]
    assert isinstance(arch, AmdArch)
    return arch


@cache
def archs() -> dict[str, AmdArch]:
    """Every AMD architecture, by id."""
    catalogue = CATALOGUE
    found = {}
    for path in sorted([*FOLDER.glob("gfx*.yaml"), *FOLDER.glob("vliw*.yaml")]):
        arch = catalogue.architecture(path.stem)
        assert isinstance(arch, AmdArch)
        found[arch.id] = arch
    return found


def rows(name: str) -> Iterator[dict[str, str]]:
    """Rows of tests/data/amd/`name`.gz."""
    with gzip.open(_DATA / f"{name}.gz", "rt", newline="") as text:
        yield from csv.DictReader(text)
