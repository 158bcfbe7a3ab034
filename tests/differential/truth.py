"""What compilers and a run say of a program."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

UNKNOWN = -1


@dataclass(frozen=True)
class KernelTruth:
    """One compiled kernel. `name`: without its parameters and template arguments, which `arguments` are.

    Bounds as the compiler writes them for the assembler; None: it writes none; UNKNOWN: it would not tell.
    `default`: the most threads where the source bounds nothing.
    """

    name: str
    arguments: str
    shared: int
    barriers: int | None = None
    registers: int | None = None
    max_threads: int | None = None
    min_blocks: int | None = None
    max_registers: int | None = None
    block_size: int | None = None
    max_cluster: int | None = None
    default: int = 0


@dataclass(frozen=True)
class LaunchTruth:
    kernel: str
    site: int
    block: tuple[int, int, int]
    dynamic: int


@dataclass(frozen=True)
class Truth:
    """`failed`: why there is none."""

    kernels: list[KernelTruth] = field(default_factory=list)
    launches: list[LaunchTruth] = field(default_factory=list)
    failed: str = ""

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


def from_data(data: dict[str, Any]) -> Truth:
    return Truth(
        [KernelTruth(**it) for it in data["kernels"]],
        [LaunchTruth(it["kernel"], it["site"], tuple(it["block"]), it["dynamic"]) for it in data["launches"]],
        data["failed"],
    )
