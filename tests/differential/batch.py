"""A batch of programs: its truth, kept from one run to the next, its claims, and what differs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from . import compiled
from .claims import claims
from .clang import Hip, OpenCl
from .compare import Figure, figures
from .nvcc import Nvcc
from .sketch import Program
from .truth import Truth, from_data

COMPILERS: dict[str, compiled.Compiler] = {"cuda": Nvcc(), "hip": Hip(), "opencl": OpenCl()}
DEVICES = {"cuda": "h100", "hip": "mi300x", "opencl": "mi300x"}


@dataclass(frozen=True)
class Compared:
    program: Program
    truth: Truth
    figures: list[Figure]

    @property
    def wrong(self) -> list[Figure]:
        return [it for it in self.figures if it.wrong]


def compared(programs: Sequence[Program], language: str = "cuda", kept: Path | None = None) -> list[Compared]:
    """`kept`: the folder of truths that are known."""
    true = truths(programs, language, kept)
    good = [it for it in programs if not true[it.number].failed]
    said = claims(good, DEVICES[language])
    return [
        Compared(it, true[it.number], figures(true[it.number], said[it.number]) if it.number in said else [])
        for it in programs
    ]


def truths(programs: Sequence[Program], language: str, kept: Path | None) -> dict[int, Truth]:
    compiler = COMPILERS[language]
    if kept is None:
        return compiled.truths(programs, compiler)
    text = json.dumps([language, *([it.number, it.files] for it in programs)])
    path = kept / f"{sha256(text.encode()).hexdigest()[:24]}.json"
    if path.exists():
        return {int(number): from_data(it) for number, it in json.loads(path.read_text()).items()}
    found = compiled.truths(programs, compiler)
    path.write_text(json.dumps({number: it.as_data() for number, it in found.items()}))
    return found
