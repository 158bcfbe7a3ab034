"""NVIDIA's architectures: their words, and what the rules and ptxas make of their numbers."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.model.allocation import Allocation
from occupancy_lsp.model.architecture import Usual
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.traits import Traits
from occupancy_lsp.vendors.nvidia import bounds, registers, rule
from occupancy_lsp.vendors.nvidia.hardware import NvidiaHardware

_NOUNS = Nouns("block", "blocks", "warp", "warps", "SM", "shared memory", "smem", "blk")

_TRAITS = Traits(
    caps_registers=True,
    counts_barriers=True,
    opts_in=True,
    most_threads=(1024, 1024, 64),
    most_groups=(2**31 - 1, 2**16 - 1, 2**16 - 1),  # since compute capability 3.0
)
_SPLITTING = replace(_TRAITS, splits_cache=True)
_HANDING = replace(_SPLITTING, hands_registers=True)  # setmaxnreg


class NvidiaArch(NvidiaHardware, Usual):
    """One compute capability."""

    __slots__ = ()

    @property
    def traits(self) -> Traits:
        if self.generation >= 9:
            return _HANDING
        return _SPLITTING if self.generation >= 7 else _TRAITS

    @property
    def nouns(self) -> Nouns:
        return _NOUNS

    def occupancy(self, need: Need) -> Occupancy:
        return rule.occupancy(self, need)

    def allocated(self, need: Need) -> Allocation | None:
        return registers.allocated(self, need)

    def asked_ceiling(self, registers: int) -> int:
        return bounds.asked_ceiling(self, registers)

    def bounds_honoured(self, max_threads: int) -> bool:
        return bounds.honoured(self, max_threads)

    def min_groups_honoured(self, max_threads: int, min_groups: int) -> bool:
        return bounds.min_groups_honoured(self, max_threads, min_groups)

    def register_ceiling(self, max_threads: int, min_groups: int | None = None) -> int:
        return bounds.register_ceiling(self, max_threads, min_groups)
