"""Architectures and reference rows for the model's tests."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from occupancy_lsp.devices.presets import builtin_folder
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from tests.presets import CATALOGUE

_DATA = Path(__file__).parent.parent / "data" / "nvidia"


@cache
def arch(cc: str) -> NvidiaArch:
    return archs()[cc]


@cache
def archs() -> dict[str, NvidiaArch]:
    """Every NVIDIA architecture, by compute capability."""
    catalogue = CATALOGUE
    ids = [path.stem for path in (builtin_folder() / "nvidia").glob("sm_*.yaml")]
    return {sm.compute_capability: sm for sm in map(catalogue.architecture, sorted(ids))}


def rows(name: str) -> Iterator[dict[str, str]]:
    """Rows of tests/data/nvidia/`name`.gz."""
    with gzip.open(_DATA / f"{name}.gz", "rt", newline="") as text:
        yield from csv.DictReader(text)


def lines(name: str) -> list[str]:
    with gzip.open(_DATA / f"{name}.gz", "rt") as text:
        return text.read().splitlines()


def percentage(text: str) -> int | None:
    """A carveout column: -1 is "no preference"."""
    return None if text == "-1" else int(text)
