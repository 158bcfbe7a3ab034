"""A batch of programs: its truth, kept from one run to the next, its claims, and what differs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from . import nvcc
from .claims import claims
from .compare import Figure, figures
from .sketch import Program
from .truth import Truth, from_data

DEVICE = "h100"


@dataclass(frozen=True)
class Compared:
    program: Program
    truth: Truth
    figures: list[Figure]

    @property
    def wrong(self) -> list[Figure]:
        return [it for it in self.figures if it.wrong]


def compared(programs: Sequence[Program], kept: Path | None) -> list[Compared]:
    """`kept`: the folder of truths that are known."""
    true = truths(programs, kept)
    good = [it for it in programs if not true[it.number].failed]
    said = claims(good, DEVICE)
    return [
        Compared(it, true[it.number], figures(true[it.number], said[it.number]) if it.number in said else [])
        for it in programs
    ]


def truths(programs: Sequence[Program], kept: Path | None) -> dict[int, Truth]:
    if kept is None:
        return nvcc.truths(programs)
    text = json.dumps([nvcc.TARGET, *([it.number, it.files] for it in programs)])
    path = kept / f"{sha256(text.encode()).hexdigest()[:24]}.json"
    if path.exists():
        return {int(number): from_data(it) for number, it in json.loads(path.read_text()).items()}
    found = nvcc.truths(programs)
    path.write_text(json.dumps({number: it.as_data() for number, it in found.items()}))
    return found
