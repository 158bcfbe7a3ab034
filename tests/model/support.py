"""Architectures and reference rows for the model's tests."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from occupancy_lsp.model.device import NvidiaArch

_DATA = Path(__file__).parent.parent / "data" / "nvidia"


@cache
def arch(cc: str) -> NvidiaArch:
    return archs()[cc]


@cache
def archs() -> dict[str, NvidiaArch]:
    """Every NVIDIA architecture, by compute capability."""
    with open("/work/shared/facts/nvidia-facts.csv", newline="") as facts:
        return {row["cc"]: _arch(row) for row in csv.DictReader(facts)}


def _arch(row: dict[str, str]) -> NvidiaArch:
    cc = row["cc"]
    smem = 335872 if cc == "10.7" else int(row["smem_sm"])
    barriers = int(row["barriers_sm"] or -1)
    return NvidiaArch(
        id="sm_" + cc.replace(".", ""),
        vendor="nvidia",
        compute_capability=cc,
        sub_group_size=32,
        max_group_size=int(row["max_threads_block"]),
        max_sub_groups=int(row["max_warps"]),
        max_groups=int(row["max_blocks"]),
        registers_per_unit=int(row["regs_sm"]),
        registers_per_group=int(row["regs_block"]),
        max_registers=int(row["max_regs_thread"]),
        register_unit=int(row["reg_unit"]),
        register_allocation=row["reg_gran"],
        sub_partitions=int(row["warp_gran"]),
        local_per_unit=smem,
        local_per_group=int(row["smem_block"]),
        local_per_group_opt_in=smem - 1024 if cc == "10.7" else int(row["smem_optin"]),
        local_unit=int(row["smem_unit"]),
        local_reserved=int(row["reserved"]),
        carveouts=tuple(int(size) * 1024 for size in row["carveouts"].split()),
        barriers_per_unit=barriers if barriers > 0 else None,
        clusters=float(cc) >= 9,
    )


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
