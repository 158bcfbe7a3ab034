"""Compares what is said of a cache that `make` wrote with the readings that it noted beside it.

Each kernel is also read with files of it missing, as after TRITON_STORE_BINARY_ONLY=1: then less is known, and no more.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from occupancy_lsp.builds.find import find_sidecars, read_sidecar
from occupancy_lsp.counts.formats import triton
from occupancy_lsp.counts.usage import Usage

FIGURES = ("registers", "threads", "shared memory", "tensor memory", "stack", "spills", "line", "options")
MISSING = ((".ttgir",), triton.INTERMEDIATE, (*triton.INTERMEDIATE, *triton.ASSEMBLY))
_RESERVED = 1024  # bytes of shared memory that cuobjdump counts from sm_90 on, where a kernel uses any
_VECTORS = 8  # registers that the descriptors of these targets count in
_FIRST_RESERVING = 90
_BEGIN, _END = "<!-- triton -->", "<!-- /triton -->"

Row = Mapping[str, Any]


@dataclass
class Told:
    """By figure."""

    compared: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)

    def add(self, usage: Usage, row: Row, source: Path) -> None:
        for figure, said, true in compared(usage, row, source):
            if said is None and true is not None:
                self.unknown[figure] += 1
                continue
            self.compared[figure] += 1
            if said != true:
                self.wrong[figure] += 1
                print(f"{row['kernel'][:40]} {row['target']} {row['options']}: {figure}: {said}, and it is {true}")


def check(folder: Path) -> int:
    """The exit status: 1 if anything is wrong. With OCCUPANCY_VALIDATION=docs/validation.md, the table goes there."""
    rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text("utf-8").splitlines()]
    made = [row for row in rows if "folder" in row]
    source = folder / "kernels.py"
    told, in_part = Told(), Told()
    for row in made:
        path = folder / "cache" / row["folder"] / f"{row['file']}.json"
        (usage,) = read_sidecar(path).usages
        told.add(usage, row, source)
        for missing in MISSING:
            in_part.add(_read(path, missing), row, source)
    found = [usage for path in find_sidecars(folder).paths for usage in read_sidecar(path).usages]
    text = table(made, told, in_part, len(rows) - len(made))
    print(text, f"Below the folder {len(found)} kernels are found.", sep="\n\n")
    if target := os.environ.get("OCCUPANCY_VALIDATION"):
        _write(Path(target), text)
    return 1 if told.wrong or told.unknown or in_part.wrong or len(found) != len(made) else 0


def _read(path: Path, missing: Sequence[str]) -> Usage:
    files = {it.suffix: it.read_bytes() for it in path.parent.iterdir() if it.stem == path.stem}
    beside = {suffix: data for suffix, data in files.items() if suffix not in missing}
    (usage,) = triton.read(path.read_bytes(), str(path), beside).usages
    return usage


def compared(usage: Usage, row: Row, source: Path) -> Iterator[tuple[str, object, object]]:
    """Figure by figure, what is said and what is true."""
    variant = usage.variant
    assert variant is not None
    yield "threads", usage.group_size, row["threads"]
    yield "shared memory", usage.dynamic_local, row["shared"]
    yield "line", usage.at, (str(source), row["line"])
    for name, asked in row["options"].items():
        yield "options", getattr(variant, name), asked
    yield "options", variant.warp_specialised, is_specialised(row)
    if "registers" in row:
        yield "registers", usage.registers, row["registers"]
        yield "stack", usage.stack, row["stack"]
        reserved = _RESERVED if row["target"] >= _FIRST_RESERVING else 0
        yield "shared memory", usage.static_local, max(row["static"] - reserved, 0)
        yield "tensor memory", usage.tensor_columns, row["tensor"]
    else:
        vectors = usage.registers, usage.accumulators or 0
        yield "registers", vectors[0] and sum(filter(None, vectors)), _set_aside(row)
        yield "stack", usage.stack, row["private_segment_fixed_size"]
        yield "spills", usage.spilled_registers, row["vgpr_spill_count"]
        yield "shared memory", usage.static_local, row["group_segment_fixed_size"]


def _set_aside(row: Row) -> int:
    """Vector registers of a thread: those that are used, or what the descriptor has where it asks for more."""
    used: int = row["vgpr_count"]
    asked: int = row["next_free_vgpr"]
    return used if asked <= used else -(-asked // _VECTORS) * _VECTORS


def is_specialised(row: Row) -> bool:
    """Whether a block has more threads than the warps that were asked for."""
    return bool(row["threads"] != row["options"]["num_warps"] * row.get("wavefront_size", 32))


def table(made: Sequence[Row], told: Told, in_part: Told, refused: int) -> str:
    kernels, targets = len({row["kernel"] for row in made}), len({row["target"] for row in made})
    lines = (
        f"{len(made)} compilations by Triton 3.9.0, of {kernels} kernels for {targets} targets, "
        f"{sum(map(is_specialised, made))} of them warp-specialised. It refused {refused} more.",
        "",
        "| figure | compared | different | with files missing: compared | different | unknown |",
        "|---|---|---|---|---|---|",
        *(
            f"| {it} | {told.compared[it]:,} | {told.wrong[it]} "
            f"| {in_part.compared[it]:,} | {in_part.wrong[it]} | {in_part.unknown[it]:,} |"
            for it in FIGURES
        ),
    )
    return "\n".join(lines)


def _write(path: Path, text: str) -> None:
    before, _, rest = path.read_text("utf-8").partition(_BEGIN)
    after = rest.partition(_END)[2]
    path.write_text(f"{before}{_BEGIN}\n{text}\n{_END}{after}", "utf-8")
