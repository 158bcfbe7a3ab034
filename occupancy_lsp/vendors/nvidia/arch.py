"""NVIDIA's GPUs as data: what one SM of a compute capability holds."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.model.allocation import Allocation
from occupancy_lsp.model.architecture import Usual
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.traits import Traits
from occupancy_lsp.vendors.nvidia import bounds, registers, rule

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


@dataclass(frozen=True, slots=True)
class NvidiaArch(Usual):
    """One compute capability. Sizes in bytes, counts of registers are 32-bit; "unit" alone means one SM."""

    id: str  # "sm_90"
    vendor: str  # "nvidia"
    compute_capability: str  # "9.0"
    sub_group_size: int  # threads
    max_group_size: int  # threads
    max_sub_groups: int  # per SM
    max_groups: int  # per SM
    registers_per_unit: int
    registers_per_group: int
    max_registers: int  # per thread
    register_unit: int  # allocation granularity, in registers
    register_allocation: str  # "warp" | "block": what the granularity applies to
    sub_partitions: int  # of the register file; for cc 1.x the number of warps that a block is rounded up to
    local_per_unit: int
    local_per_group: int  # default limit; the reserve is not part of it
    local_per_group_opt_in: int  # limit of a kernel that opted in; equal to the default where there is no opt-in
    local_unit: int  # allocation granularity
    local_reserved: int  # taken by the driver in every group
    carveouts: tuple[int, ...]  # sizes that the unit's local memory can be set to, ascending
    barriers_per_unit: int | None  # None: barriers do not limit residency
    clusters: bool
    gpcs: int | None = None  # graphics processing clusters of a device at most, which no cluster spans
    units_per_gpc: int | None = None  # SMs at most, in pairs
    tensor_columns: int | None = None  # of tensor memory, which kernels allocate as they run; None: there is none

    @property
    def generation(self) -> int:
        """The major number of the compute capability, on which NVIDIA's rules turn."""
        return _major(self.compute_capability)

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


@remembered(64)
def _major(version: str) -> int:
    return int(version.partition(".")[0])
