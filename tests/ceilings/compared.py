"""A kernel's head as a person writes it, the ceiling that the engine reads from it, and what a compiler gave it."""

from __future__ import annotations

from dataclasses import dataclass

from occupancy_lsp.analysis.ceilings import ceiling
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.vendors.vendor import NO_OPTIONS, Options

MARGIN = 12  # values that a kernel keeps alive beyond its ceiling: it takes all that it may, and spills


@dataclass(frozen=True, slots=True)
class Compared:
    """`used`: registers that the compiler gave a kernel which wants more than `ceiling`."""

    arch: str
    head: str
    ceiling: int
    used: int | None
    faults: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        return self.used == self.ceiling and not self.faults

    def __str__(self) -> str:
        said = [f"ceiling {self.ceiling}, compiled {self.used}", *self.faults]
        return f"{self.arch}: {self.head}: {'; '.join(said)}"


def read(source: str, dialect: Dialect) -> tuple[Kernel, ...]:
    return Source(source.encode(), dialect).facts({}).kernels


def ceilings(
    arch: Architecture, kernels: tuple[Kernel, ...], dialect: Dialect, options: Options = NO_OPTIONS
) -> list[int]:
    return [ceiling(arch, it, dialect.name, options).registers for it in kernels]
